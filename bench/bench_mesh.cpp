// Welding and topology on a mesh as large as a detailed game character.
#include <cmath>
#include <cstdint>

#include <benchmark/benchmark.h>

#include "skincells/mesh.h"

namespace skincells {
namespace {

constexpr int kColumns = 245, kRows = 245; // 60,025 vertices

// A wavy sheet with seams: one row in eight repeats the one before, as texture borders make them.
Mesh wavySheet() {
  Mesh mesh;
  for (int row = 0; row < kRows; ++row)
    for (int column = 0; column < kColumns; ++column) {
      const int place = row - row / 8;
      const double x = column * 0.01, y = place * 0.01;
      mesh.positions.push_back(toFloat({x, y, 0.1 * std::sin(7 * x) * std::cos(5 * y)}));
    }
  const auto at = [](int row, int column) { return static_cast<std::uint32_t>(row * kColumns + column); };
  for (int row = 0; row + 1 < kRows; ++row)
    for (int column = 0; column + 1 < kColumns; ++column) {
      mesh.triangles.push_back({at(row, column), at(row + 1, column), at(row + 1, column + 1)});
      mesh.triangles.push_back({at(row, column), at(row + 1, column + 1), at(row, column + 1)});
    }
  return mesh;
}

void countVertices(benchmark::State& state, const Mesh& mesh) {
  state.counters["vertices"] = static_cast<double>(mesh.vertexCount());
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * mesh.vertexCount());
}

void weldExact(benchmark::State& state) {
  const Mesh mesh = wavySheet();
  for (auto _ : state) benchmark::DoNotOptimize(weldByPosition(mesh.positions, 0));
  countVertices(state, mesh);
}
BENCHMARK(weldExact)->Unit(benchmark::kMillisecond);

void weldTolerant(benchmark::State& state) {
  const Mesh mesh = wavySheet();
  for (auto _ : state) benchmark::DoNotOptimize(weldByPosition(mesh.positions, weldTolerance(mesh)));
  countVertices(state, mesh);
}
BENCHMARK(weldTolerant)->Unit(benchmark::kMillisecond);

void topology(benchmark::State& state) {
  const Mesh mesh = wavySheet();
  const Weld weld = weldByPosition(mesh.positions, weldTolerance(mesh));
  for (auto _ : state) benchmark::DoNotOptimize(analyzeTopology(mesh, weld));
  countVertices(state, mesh);
}
BENCHMARK(topology)->Unit(benchmark::kMillisecond);

void islands(benchmark::State& state) {
  const Mesh mesh = wavySheet();
  const Mesh welded = weldedMesh(mesh, weldByPosition(mesh.positions, weldTolerance(mesh)));
  for (auto _ : state) benchmark::DoNotOptimize(findIslands(welded));
  countVertices(state, welded);
}
BENCHMARK(islands)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace skincells

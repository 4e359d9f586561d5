// Whole stages on a large character: what reading, inspecting, binding and writing cost beside plain file access.
// Uses shared/characters/Rocketbox_Male_Adult_06_dense.glb where SKINCELLS_SHARED or ../shared has it, and a tube of
// the same size elsewhere.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <benchmark/benchmark.h>

#include "skincells/skincells.h"

namespace skincells {
namespace {

namespace fs = std::filesystem;

// A tube of 60,000 vertices around a chain of 80 joints.
std::vector<std::uint8_t> tubeGlb() {
  constexpr int kRings = 600, kSides = 100, kJoints = 80;
  Scene scene;
  scene.generator = "bench";
  ScenePrimitive tube;
  for (int r = 0; r < kRings; ++r)
    for (int s = 0; s < kSides; ++s) {
      const double a = 2 * M_PI * s / kSides;
      tube.positions.push_back(toFloat({0.3 * std::cos(a), 8.0 * r / kRings, 0.3 * std::sin(a)}));
    }
  const auto at = [](int r, int s) { return static_cast<std::uint32_t>(r * kSides + s % kSides); };
  for (int r = 0; r + 1 < kRings; ++r)
    for (int s = 0; s < kSides; ++s) {
      tube.triangles.push_back({at(r, s), at(r + 1, s), at(r + 1, s + 1)});
      tube.triangles.push_back({at(r, s), at(r + 1, s + 1), at(r, s + 1)});
    }
  scene.meshes.push_back({"tube", {std::move(tube)}});
  SceneNode mesh_node;
  mesh_node.name = "tube";
  mesh_node.mesh = 0;
  scene.nodes.push_back(mesh_node);
  for (int j = 0; j < kJoints; ++j) {
    SceneNode joint;
    joint.name = "joint" + std::to_string(j);
    joint.parent = j == 0 ? -1 : j;
    joint.translation = {0, j == 0 ? 0.0 : 0.1, 0};
    scene.nodes.push_back(joint);
  }
  return sceneToGlb(scene);
}

fs::path inputPath() {
  static const fs::path path = [] {
    const char* set = std::getenv("SKINCELLS_SHARED");
    const fs::path shared = set != nullptr ? fs::path(set) : fs::path("../shared");
    const fs::path dense = shared / "characters" / "Rocketbox_Male_Adult_06_dense.glb";
    if (fs::exists(dense)) return dense;
    const fs::path tube = fs::temp_directory_path() / "skincells_bench_tube.glb";
    const auto bytes = tubeGlb();
    std::ofstream(tube, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return tube;
  }();
  return path;
}

const CharacterFile& inputFile() {
  static const Result<CharacterFile> file = CharacterFile::read(inputPath().string());
  return file.value();
}

void label(benchmark::State& state) {
  state.counters["vertices"] = static_cast<double>(inputFile().character().mesh.vertexCount());
  state.SetLabel(inputPath().filename().string());
}

void readBytesOnly(benchmark::State& state) {
  for (auto _ : state) {
    std::ifstream in(inputPath(), std::ios::binary);
    const std::vector<char> bytes(std::istreambuf_iterator<char>(in), {});
    benchmark::DoNotOptimize(bytes.data());
  }
  label(state);
}
BENCHMARK(readBytesOnly)->Unit(benchmark::kMillisecond);

void readCharacter(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(CharacterFile::read(inputPath().string()));
  label(state);
}
BENCHMARK(readCharacter)->Unit(benchmark::kMillisecond);

void inspectFile(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(run(InspectJob{inputPath().string(), {}}));
  label(state);
}
BENCHMARK(inspectFile)->Unit(benchmark::kMillisecond);

void bindProximity(benchmark::State& state) {
  BindOptions options;
  options.method = BindMethod::Proximity;
  options.joints = "all";
  for (auto _ : state) benchmark::DoNotOptimize(skincells::bind(inputFile().character(), options));
  label(state);
}
BENCHMARK(bindProximity)->Unit(benchmark::kMillisecond);

void writeSkinned(benchmark::State& state) {
  BindOptions options;
  options.method = BindMethod::Proximity;
  const auto bound = skincells::bind(inputFile().character(), options);
  const std::string path = (fs::temp_directory_path() / "skincells_bench_out.glb").string();
  WriteOptions force;
  force.force = true;
  for (auto _ : state) benchmark::DoNotOptimize(inputFile().write(path, bound->weights, force).has_value());
  fs::remove(path);
  label(state);
}
BENCHMARK(writeSkinned)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace skincells

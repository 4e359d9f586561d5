#include "mesh/simplify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace skincells::mesh {
namespace {

using Cell = std::array<std::int64_t, 3>;

Cell cellOf(const Vec3d& p, double side) {
  return {static_cast<std::int64_t>(std::floor(p.x / side)), static_cast<std::int64_t>(std::floor(p.y / side)),
          static_cast<std::int64_t>(std::floor(p.z / side))};
}

std::vector<Cell> cellsOf(const Mesh& welded, double side) {
  // No border of a cell lies on the faces or the middle of the box, where many vertices of a character are: rounding
  // would scatter them over two cells.
  constexpr double kAside = 0.29; // of a cell
  const Vec3d corner = welded.bounds().center() - Vec3d{side, side, side} * kAside;
  std::vector<Cell> cells;
  cells.reserve(welded.positions.size());
  for (const Vec3f& p : welded.positions) cells.push_back(cellOf(toDouble(p) - corner, side));
  return cells;
}

// Which vertices share a cell, numbered by first member.
Islands withinCells(const Mesh& welded, double side) {
  Islands found;
  std::map<Cell, std::uint32_t> numbers;
  for (const Cell& cell : cellsOf(welded, side)) {
    const auto [place, is_new] = numbers.emplace(cell, found.count);
    if (is_new) ++found.count;
    found.island_of_vertex.push_back(place->second);
  }
  return found;
}

// Which vertices are connected by edges inside one cell: the islands of a mesh with only these edges.
Islands connectedWithinCells(const Mesh& welded, double side) {
  const std::vector<Cell> cells = cellsOf(welded, side);
  Mesh inside;
  inside.positions = welded.positions;
  for (const Triangle& t : welded.triangles)
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint32_t a = t[c], b = t[(c + 1) % 3];
      if (cells[a] == cells[b]) inside.triangles.push_back({a, b, b});
    }
  return findIslands(inside);
}

std::vector<Triangle> mapTriangles(const std::vector<Triangle>& triangles, const std::vector<std::uint32_t>& target) {
  std::vector<Triangle> mapped;
  std::set<Triangle> seen;
  for (const Triangle& t : triangles) {
    const Triangle m{target[t[0]], target[t[1]], target[t[2]]};
    if (m[0] == m[1] || m[1] == m[2] || m[2] == m[0]) continue;
    Triangle sorted = m;
    std::ranges::sort(sorted);
    if (seen.insert(sorted).second) mapped.push_back(m);
  }
  return mapped;
}

Clustered joined(const Mesh& welded, Islands clusters) {
  std::vector<Vec3d> sums(clusters.count);
  std::vector<double> members(clusters.count);
  for (std::size_t v = 0; v < welded.positions.size(); ++v) {
    sums[clusters.island_of_vertex[v]] += toDouble(welded.positions[v]);
    members[clusters.island_of_vertex[v]] += 1;
  }
  Clustered result;
  for (std::size_t c = 0; c < sums.size(); ++c) result.mesh.positions.push_back(toFloat(sums[c] * (1 / members[c])));
  result.mesh.triangles = mapTriangles(welded.triangles, clusters.island_of_vertex);
  result.cluster_of_vertex = std::move(clusters.island_of_vertex);
  return result;
}

} // namespace

Clustered clusterVertices(const Mesh& welded, double cell) {
  if (!(cell > 0)) {
    Clustered same{welded, std::vector<std::uint32_t>(welded.positions.size())};
    same.mesh.sections.clear();
    std::iota(same.cluster_of_vertex.begin(), same.cluster_of_vertex.end(), 0U);
    return same;
  }
  return joined(welded, connectedWithinCells(welded, cell));
}

Clustered clusterVertices(const Mesh& welded, double cell, std::uint32_t most) {
  constexpr double kGrowth = 1.3;
  Clustered result = clusterVertices(welded, cell);
  if (!(cell > 0)) return result;
  for (; result.mesh.vertexCount() > most; cell *= kGrowth) result = joined(welded, withinCells(welded, cell));
  return result;
}

} // namespace skincells::mesh

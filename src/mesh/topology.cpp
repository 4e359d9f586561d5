#include <algorithm>
#include <numeric>

#include "mesh/edge_sort.h"
#include "mesh/edges.h"
#include "mesh/triangle.h"
#include "skincells/mesh.h"

namespace skincells {
namespace mesh {

std::vector<Edge> findEdges(const std::vector<Triangle>& triangles) {
  std::vector<Edge> sides;
  sides.reserve(triangles.size() * 3);
  for (const Triangle& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), 1});
    }
  sortByVertices(sides);
  std::size_t count = 0;
  for (const Edge& side : sides) {
    if (count > 0 && sides[count - 1].a == side.a && sides[count - 1].b == side.b)
      ++sides[count - 1].triangle_count;
    else
      sides[count++] = side;
  }
  sides.resize(count);
  return sides;
}

} // namespace mesh

namespace {

std::uint32_t findRoot(std::vector<std::uint32_t>& parent, std::uint32_t v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

bool hasNoArea(const Mesh& mesh, const Triangle& t) {
  const Vec3d a = toDouble(mesh.positions[t[0]]), b = toDouble(mesh.positions[t[1]]),
              c = toDouble(mesh.positions[t[2]]);
  constexpr double kFlatness = 1e-10; // relative to the squared longest edge
  const double longest = std::max({dot(b - a, b - a), dot(c - b, c - b), dot(a - c, a - c)});
  return length(mesh::areaNormal(a, b, c)) <= kFlatness * longest;
}

} // namespace

Islands findIslands(const Mesh& welded) {
  std::vector<std::uint32_t> parent(welded.positions.size());
  std::iota(parent.begin(), parent.end(), 0U);
  for (const Triangle& t : welded.triangles)
    for (std::size_t k = 1; k < 3; ++k) {
      const auto a = findRoot(parent, t[0]), b = findRoot(parent, t[k]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  Islands islands;
  islands.island_of_vertex.resize(parent.size());
  for (std::uint32_t v = 0; v < parent.size(); ++v) {
    const auto root = findRoot(parent, v);
    islands.island_of_vertex[v] = root == v ? islands.count++ : islands.island_of_vertex[root];
  }
  return islands;
}

Topology analyzeTopology(const Mesh& mesh, const Weld& weld) {
  const Mesh welded = weldedMesh(mesh, weld);
  Topology t;
  t.welded_vertex_count = weld.weldedCount();
  const auto edges = mesh::findEdges(welded.triangles);
  t.edge_count = static_cast<std::uint32_t>(edges.size());
  for (const auto& e : edges) {
    t.open_edge_count += e.triangle_count == 1;
    t.non_manifold_edge_count += e.triangle_count > 2;
  }
  t.degenerate_triangle_count = static_cast<std::uint32_t>(mesh.triangles.size() - welded.triangles.size());
  std::vector<Triangle> sorted = welded.triangles;
  for (Triangle& s : sorted) {
    t.degenerate_triangle_count += hasNoArea(welded, s);
    std::sort(s.begin(), s.end());
  }
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 1; i < sorted.size(); ++i) t.duplicate_triangle_count += sorted[i] == sorted[i - 1];
  std::vector<bool> used(welded.positions.size(), false);
  for (const Triangle& s : welded.triangles)
    for (auto v : s) used[v] = true;
  t.loose_vertex_count = static_cast<std::uint32_t>(std::count(used.begin(), used.end(), false));
  t.island_count = findIslands(welded).count - t.loose_vertex_count;
  return t;
}

} // namespace skincells

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "mesh/edges.h"
#include "skincells/mesh.h"
#include "support/shapes.h"

namespace skincells {
namespace {

Topology topologyOf(const Mesh& mesh) {
  return analyzeTopology(mesh, weldByPosition(mesh.positions, 0));
}

TEST(Topology, ClosedTube) {
  const Mesh mesh = test::unwelded(test::tube(4, 0.5, 5, 8));
  const Topology t = topologyOf(mesh);
  EXPECT_EQ(t.welded_vertex_count, 42U);
  EXPECT_EQ(t.edge_count, 42U + 80U - 2U); // Euler: V - E + F = 2
  EXPECT_EQ(t.open_edge_count, 0U);
  EXPECT_EQ(t.non_manifold_edge_count, 0U);
  EXPECT_EQ(t.island_count, 1U);
  EXPECT_EQ(t.loose_vertex_count, 0U);
}

TEST(Topology, OpenGridTwoPartsAndFan) {
  EXPECT_EQ(topologyOf(test::grid(2, 3)).open_edge_count, 10U);
  const Mesh two = test::joined(test::tube(1, 0.1, 3, 5), test::nonManifoldFan());
  const Topology t = topologyOf(two);
  EXPECT_EQ(t.island_count, 1U); // the fan touches the tube's pole at the origin
  EXPECT_EQ(t.non_manifold_edge_count, 1U);
}

TEST(Topology, CountsBadTriangles) {
  Mesh mesh = test::grid(1, 1);
  mesh.triangles.push_back(mesh.triangles[0]);
  mesh.triangles.push_back({0, 0, 1});
  mesh.positions.push_back({9, 9, 9});
  mesh.positions.push_back({0.5f, 0, 0});
  mesh.triangles.push_back({0, 5, 1});
  const Topology t = topologyOf(mesh);
  EXPECT_EQ(t.duplicate_triangle_count, 1U);
  EXPECT_EQ(t.degenerate_triangle_count, 2U);
  EXPECT_EQ(t.loose_vertex_count, 1U);
}

// With a hub, whose edges are more than sorting expects.
TEST(Edges, AreSortedAndCountedOnce) {
  std::vector<Triangle> triangles{{7, 5, 6}};
  for (std::uint32_t v = 200; v > 10; --v) triangles.push_back({v, 2, v + 1});
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> expected;
  for (const Triangle& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) ++expected[std::minmax({t[k], t[(k + 1) % 3]})];
  const std::vector<mesh::Edge> edges = mesh::findEdges(triangles);
  ASSERT_EQ(edges.size(), expected.size());
  std::size_t i = 0;
  for (const auto& [ends, count] : expected) {
    EXPECT_EQ(std::pair(edges[i].a, edges[i].b), ends);
    EXPECT_EQ(edges[i++].triangle_count, count);
  }
  EXPECT_TRUE(mesh::findEdges({}).empty());
}

TEST(Islands, NumberedByFirstVertex) {
  Mesh mesh = test::joined(test::grid(1, 1), test::grid(1, 1));
  for (std::size_t v = 4; v < 8; ++v) mesh.positions[v].y = 5;
  const Islands islands = findIslands(mesh);
  EXPECT_EQ(islands.count, 2U);
  EXPECT_EQ(islands.island_of_vertex, (std::vector<std::uint32_t>{0, 0, 0, 0, 1, 1, 1, 1}));
}

} // namespace
} // namespace skincells

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mesh/simplify.h"
#include "mesh/surface_measure.h"
#include "support/shapes.h"
#include "support/torture.h"

namespace skincells::mesh {
namespace {

TEST(ClusterVertices, CoarsensAndKeepsTheShape) {
  const Mesh fine = test::tube(10, 1, 80, 40);
  const Clustered coarse = clusterVertices(fine, 0.5);
  EXPECT_LT(coarse.mesh.positions.size(), fine.positions.size() / 2);
  EXPECT_EQ(findIslands(coarse.mesh).count, 1U);
  ASSERT_EQ(coarse.cluster_of_vertex.size(), fine.positions.size());
  for (std::size_t v = 0; v < fine.positions.size(); ++v) {
    ASSERT_LT(coarse.cluster_of_vertex[v], coarse.mesh.positions.size());
    const Vec3d offset = toDouble(fine.positions[v]) - toDouble(coarse.mesh.positions[coarse.cluster_of_vertex[v]]);
    EXPECT_LE(length(offset), 0.5 * std::sqrt(3.0) + 1e-6);
  }
}

TEST(ClusterVertices, KeepsCloseSheetsApart) {
  const Mesh sheet = test::grid(4, 4);
  Mesh lifted = sheet;
  for (Vec3f& p : lifted.positions) p.y += 0.01F;
  const Clustered coarse = clusterVertices(test::joined(sheet, lifted), 2);
  EXPECT_EQ(findIslands(coarse.mesh).count, 2U);
}

TEST(ClusterVertices, NothingToJoin) {
  const Mesh sheet = test::grid(2, 2);
  const Clustered same = clusterVertices(sheet, 0);
  EXPECT_EQ(same.mesh.positions, sheet.positions);
  EXPECT_EQ(same.mesh.triangles, sheet.triangles);
  EXPECT_TRUE(clusterVertices(Mesh{}, 1).mesh.positions.empty());
}

TEST(ClusterVertices, OneClusterHasNoTriangles) {
  const Clustered all = clusterVertices(test::grid(2, 2), 100);
  EXPECT_EQ(all.mesh.positions.size(), 1U);
  EXPECT_TRUE(all.mesh.triangles.empty());
}

TEST(SurfaceMeasure, AreasAndVolumeOfATube) {
  const Mesh tube = test::tube(10, 1, 40, 64);
  double area = 0;
  for (const VertexMeasure& v : measureVertices(tube)) area += v.area;
  EXPECT_NEAR(area, 2 * M_PI * 10 + 2 * M_PI, 0.5);
  const std::vector<Part> parts = measureParts(tube, findIslands(tube));
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_TRUE(parts[0].nearlyClosed());
  EXPECT_NEAR(std::abs(parts[0].signed_volume), 31.4, 0.3);
  EXPECT_FALSE(measureParts(test::grid(2, 2), findIslands(test::grid(2, 2)))[0].nearlyClosed());
}

TEST(SurfaceMeasure, CotangentWeightsOfASquare) {
  Mesh square;
  square.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  square.triangles = {{0, 1, 2}, {0, 2, 3}};
  for (const EdgeWeight& e : cotangentWeights(square))
    EXPECT_NEAR(e.weight, e.a == 0 && e.b == 2 ? 0 : 0.5, 1e-12) << e.a << " " << e.b;
}

TEST(SurfaceMeasure, TrianglesWithoutAreaAddNothing) {
  Mesh flat;
  flat.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  flat.triangles = {{0, 1, 2}};
  for (const EdgeWeight& e : cotangentWeights(flat)) EXPECT_EQ(e.weight, 0);
  for (const VertexMeasure& v : measureVertices(flat)) EXPECT_EQ(v.normal, Vec3d());
}

TEST(ClusterVertices, LimitsTheVertexCountOfTriangleSoups) {
  const Mesh soup = test::triangleSoup(2000, 1).mesh;
  EXPECT_GT(clusterVertices(soup, 0.05).mesh.vertexCount(), 5000U);
  const Clustered few = clusterVertices(soup, 0.05, 500);
  EXPECT_LE(few.mesh.vertexCount(), 500U);
  EXPECT_GT(few.mesh.vertexCount(), 100U);
  EXPECT_FALSE(few.mesh.triangles.empty());
  for (std::uint32_t c : few.cluster_of_vertex) ASSERT_LT(c, few.mesh.vertexCount());
  EXPECT_EQ(clusterVertices(soup, 0.05, 1).mesh.vertexCount(), 1U);
  // If there are few enough connected clusters, they are the result.
  const Mesh fine = test::tube(10, 1, 80, 40);
  EXPECT_EQ(clusterVertices(fine, 0.5, 100000).mesh.positions, clusterVertices(fine, 0.5).mesh.positions);
}

} // namespace
} // namespace skincells::mesh

// Smoothed normals: outward, of any density, and none where there is no outside.
#include "mesh/smoothed_normals.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "mesh/simplify.h"
#include "support/shapes.h"

namespace skincells::mesh {
namespace {

Vec3d axisDirection(const Vec3f& p) {
  return normalized(Vec3d{p.x, 0, p.z});
}

// The cosine to the direction away from the axis, at the middle of a tube along y of height 1.
double worstCosine(const Mesh& tube, double size, double sign = 1) {
  const std::vector<Vec3f> normals = smoothedNormals(tube, size);
  double worst = 1;
  for (std::size_t v = 0; v < normals.size(); ++v)
    if (tube.positions[v].y > 0.3F && tube.positions[v].y < 0.7F)
      worst = std::min(worst, sign * dot(toDouble(normals[v]), axisDirection(tube.positions[v])));
  return worst;
}

Mesh turnedInsideOut(Mesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[0], t[1]);
  return mesh;
}

TEST(SmoothedNormals, PointAwayFromALimbOfAnyThickness) {
  for (double radius : {0.2, 0.05, 0.01}) {
    const double cosine = worstCosine(test::tube(1, radius, 40, 12), 1);
    EXPECT_GT(cosine, radius > 0.02 ? 0.95 : 0.75) << radius;
    EXPECT_LE(cosine, 1 + 1e-6);
  }
}

TEST(SmoothedNormals, DoNotDependOnDensityUnitsOrOrientation) {
  // Points that all of the meshes have.
  const Mesh coarse = test::tube(1, 0.1, 21, 8), fine = test::tube(1, 0.1, 81, 32);
  const std::vector<Vec3f> a = smoothedNormals(coarse, 1), b = smoothedNormals(fine, 1);
  int compared = 0;
  for (std::size_t v = 0; v < a.size(); ++v)
    for (std::size_t w = 0; w < b.size(); ++w)
      if (length(coarse.positions[v] - fine.positions[w]) < 1e-5F) {
        const bool at_rim = coarse.positions[v].y < 0.1F || coarse.positions[v].y > 0.9F;
        EXPECT_LT(length(a[v] - b[w]), at_rim ? 0.2F : 0.05F) << "at height " << coarse.positions[v].y;
        ++compared;
      }
  EXPECT_GT(compared, 100);

  Mesh large = coarse;
  for (Vec3f& p : large.positions) p = p * 250.0F + Vec3f{10, 20, 30};
  const std::vector<Vec3f> c = smoothedNormals(large, 250), d = smoothedNormals(turnedInsideOut(coarse), 1);
  for (std::size_t v = 0; v < a.size(); ++v) {
    EXPECT_LT(length(a[v] - c[v]), 1e-3F);
    EXPECT_LT(length(a[v] - d[v]), 1e-5F);
  }
}

TEST(SmoothedNormals, OfASimplifiedMeshAreThoseOfTheFullOne) {
  const Mesh full = test::tube(1, 0.1, 161, 64);
  const Clustered simple = clusterVertices(full, 2.0 / 170);
  ASSERT_LT(simple.mesh.vertexCount(), full.vertexCount());
  const std::vector<Vec3f> of_full = smoothedNormals(full, 1), of_simple = smoothedNormals(simple.mesh, 1);
  for (std::size_t v = 0; v < of_full.size(); ++v)
    EXPECT_LT(length(of_full[v] - of_simple[simple.cluster_of_vertex[v]]), 0.3F); // a cluster spans 0.12 radians
}

// Noise that a surface has only at the scale of its triangles hardly shows.
TEST(SmoothedNormals, AreSmooth) {
  Mesh rough = test::tube(1, 0.1, 81, 32);
  for (std::size_t v = 0; v < rough.positions.size(); ++v) {
    const float bump = v % 2 == 0 ? 1.03F : 0.97F;
    rough.positions[v].x *= bump;
    rough.positions[v].z *= bump;
  }
  EXPECT_GT(worstCosine(rough, 1), 0.95);
}

TEST(SmoothedNormals, SheetsHaveNoOutside) {
  for (const Vec3f& n : smoothedNormals(test::grid(8, 8), 8)) EXPECT_LT(length(n), 0.01F);
  // A sheet whose faces are there twice, once from each side.
  const Mesh twice = test::joined(test::grid(8, 8), turnedInsideOut(test::grid(8, 8)));
  const Weld weld = weldByPosition(twice.positions, 0);
  for (const Vec3f& n : smoothedNormals(weldedMesh(twice, weld), 8)) EXPECT_LT(length(n), 0.01F);
}

TEST(SmoothedNormals, AnOpenTubeStillHasAnOutside) {
  Mesh open = test::tube(1, 0.1, 40, 12);
  std::erase_if(open.triangles, [&](const Triangle& t) {
    return std::ranges::any_of(
        t, [&](std::uint32_t v) { return std::hypot(open.positions[v].x, open.positions[v].z) < 0.05; });
  });
  EXPECT_GT(worstCosine(open, 1), 0.95);
}

TEST(SmoothedNormals, AnyMeshIsFine) {
  EXPECT_TRUE(smoothedNormals({}, 1).empty());
  Mesh loose;
  loose.positions = {{0, 0, 0}, {1, 2, 3}};
  for (const Vec3f& n : smoothedNormals(loose, 1)) EXPECT_EQ(n, Vec3f{});
  Mesh flat = test::tube(1, 0.1, 5, 6);
  flat.positions.push_back({5, 5, 5}); // a loose vertex
  for (Vec3f& p : flat.positions) p.x = 0;
  Mesh point = test::tube(1, 0.1, 5, 6);
  for (Vec3f& p : point.positions) p = {1, 1, 1};
  for (const Mesh& mesh : {flat, point, test::nonManifoldFan(), test::unwelded(test::tube(1, 0.1, 5, 6))})
    for (double size : {0.0, 1e-20, 1.0, 1e20})
      for (const Vec3f& n : smoothedNormals(mesh, size)) {
        EXPECT_TRUE(isFinite(n));
        EXPECT_LE(length(n), 1.0001F);
      }
}

} // namespace
} // namespace skincells::mesh

// The surface through points without triangles.
#include "mesh/point_surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "base/random.h"
#include "mesh/surface_measure.h"
#include "support/shapes.h"

namespace skincells::mesh {
namespace {

std::vector<Vec3f> ballPoints(int count, const Vec3d& center = {}, double radius = 1) {
  std::vector<Vec3f> points;
  for (int i = 0; i < count; ++i) {
    const double y = 1 - (2 * i + 1.0) / count, r = std::sqrt(1 - y * y),
                 a = i * std::numbers::phi * 2 * std::numbers::pi;
    points.push_back(toFloat(center + Vec3d{r * std::cos(a), y, r * std::sin(a)} * radius));
  }
  return points;
}

std::vector<Part> partsOf(const Mesh& mesh) {
  return measureParts(mesh, findIslands(mesh));
}

double farthestFrom(const Mesh& surface, double radius) {
  double worst = 0;
  for (const Vec3f& p : surface.positions) worst = std::max(worst, std::abs(length(toDouble(p)) - radius));
  return worst;
}

TEST(SurfaceOfPoints, ClosesABallOfAnyDensityAndFacesOutward) {
  for (int count : {300, 2000, 100000}) {
    const Mesh surface = surfaceOfPoints(ballPoints(count));
    const std::vector<Part> parts = partsOf(surface);
    ASSERT_EQ(parts.size(), 1U) << count;
    EXPECT_TRUE(parts[0].nearlyClosed()) << count;
    EXPECT_NEAR(parts[0].signed_volume, 4.0 / 3 * std::numbers::pi, 0.25) << count;
    EXPECT_LT(farthestFrom(surface, 1), 0.01) << count;
    EXPECT_LE(surface.vertexCount(), 20000U);
  }
}

double rmsFrom(std::span<const Vec3f> points, double radius) {
  double sum = 0;
  for (const Vec3f& p : points) sum += std::pow(length(toDouble(p)) - radius, 2);
  return std::sqrt(sum / static_cast<double>(points.size()));
}

TEST(SurfaceOfPoints, AveragesNoise) {
  std::vector<Vec3f> points = ballPoints(200000);
  Random random(3);
  for (Vec3f& p : points) p *= static_cast<float>(1 + random.uniform(-0.01, 0.01));
  EXPECT_LT(rmsFrom(surfaceOfPoints(points).positions, 1), 0.5 * rmsFrom(points, 1));
}

TEST(SurfaceOfPoints, KeepsSheetsApart) {
  std::vector<Vec3f> points;
  for (int x = 0; x < 60; ++x)
    for (int z = 0; z < 60; ++z)
      for (float y : {0.0F, 0.05F}) points.push_back({static_cast<float>(x) / 60, y, static_cast<float>(z) / 60});
  const Mesh surface = surfaceOfPoints(points);
  EXPECT_GT(surface.triangles.size(), 1000U);
  for (const Triangle& t : surface.triangles) {
    EXPECT_EQ(surface.positions[t[0]].y, surface.positions[t[1]].y);
    EXPECT_EQ(surface.positions[t[0]].y, surface.positions[t[2]].y);
  }
}

TEST(SurfaceOfPoints, LeavesStraysOut) {
  std::vector<Vec3f> points = ballPoints(3000);
  Random random(5);
  for (int i = 0; i < 20; ++i) points.push_back(toFloat(random.direction() * random.uniform(2, 4)));
  const Mesh surface = surfaceOfPoints(points);
  EXPECT_LT(farthestFrom(surface, 1), 0.02);
  EXPECT_TRUE(partsOf(surface)[0].nearlyClosed());
}

TEST(SurfaceOfPoints, HasNothingWhereThereIsNoSurface) {
  std::vector<Vec3f> line;
  for (int i = 0; i < 100; ++i) line.push_back({static_cast<float>(i), 0, 0});
  EXPECT_TRUE(surfaceOfPoints({}).positions.empty());
  EXPECT_TRUE(surfaceOfPoints(std::vector<Vec3f>(500, Vec3f{1, 2, 3})).positions.empty());
  EXPECT_TRUE(surfaceOfPoints(std::vector<Vec3f>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).positions.empty());
  EXPECT_TRUE(surfaceOfPoints(line).positions.empty());
}

TEST(SurfaceOfPoints, EveryVertexHasATriangle) {
  const Mesh surface = surfaceOfPoints(test::tube(1, 0.2, 40, 24).positions);
  std::vector<bool> used(surface.positions.size());
  for (const Triangle& t : surface.triangles)
    for (std::uint32_t v : t) used[v] = true;
  EXPECT_EQ(std::ranges::count(used, false), 0);
  EXPECT_TRUE(partsOf(surface)[0].nearlyClosed());
}

} // namespace
} // namespace skincells::mesh

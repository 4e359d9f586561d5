#include "mesh/moving_surface.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "mesh/closest_on_triangle.h"
#include "support/shapes.h"

namespace skincells::mesh {
namespace {

std::vector<Vec3d> positionsOf(const Mesh& mesh, const Vec3d& shift = {}) {
  std::vector<Vec3d> out;
  for (const Vec3f& p : mesh.positions) out.push_back(toDouble(p) + shift);
  return out;
}

double nearestByHand(const Mesh& mesh, const Vec3d& p) {
  double least = INFINITY;
  for (const Triangle& t : mesh.triangles)
    least =
        std::min(least, length(p - closestOnTriangle(p, toDouble(mesh.positions[t[0]]), toDouble(mesh.positions[t[1]]),
                                                     toDouble(mesh.positions[t[2]]))));
  return least;
}

TEST(MovingSurface, SignedDistancesOfAClosedTubeAgreeWithAllTriangles) {
  const Mesh tube = test::tube(4, 1, 9, 12);
  const SurfaceTree tree(tube);
  MovingSurface surface(tree);
  surface.move(positionsOf(tube));
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const Vec3d p{random.uniform(-2, 2), random.uniform(-1, 5), random.uniform(-2, 2)};
    const SurfacePlace place = surface.nearest(p, INFINITY);
    ASSERT_TRUE(place.found());
    EXPECT_NEAR(std::abs(place.distance), nearestByHand(tube, p), 1e-9);
    const double radius = std::hypot(p.x, p.z);
    if (radius < 0.9 && p.y > 0.1 && p.y < 3.9) {
      EXPECT_LT(place.distance, 0) << p.x << " " << p.y << " " << p.z;
    }
    if (radius > 1.1 || p.y < -0.1 || p.y > 4.1) {
      EXPECT_GT(place.distance, 0) << p.x << " " << p.y << " " << p.z;
    }
    // The gradient is the direction in which the distance grows.
    EXPECT_NEAR(length(place.gradient), 1, 1e-9);
    EXPECT_GT(surface.nearest(p + place.gradient * 1e-4, INFINITY).distance, place.distance);
  }
}

TEST(MovingSurface, FollowsItsVerticesAndTheFirstTriangleDoesNotMatter) {
  const Mesh tube = test::tube(4, 1, 9, 12);
  const SurfaceTree tree(tube);
  MovingSurface rest(tree), moved(tree);
  rest.move(positionsOf(tube));
  moved.move(positionsOf(tube, {10, 0, 0}));
  for (std::uint32_t first = 0; first < tube.triangles.size(); first += 17) {
    const SurfacePlace a = rest.nearest({0.3, 1.7, 0.2}, INFINITY, first),
                       b = moved.nearest({10.3, 1.7, 0.2}, INFINITY);
    EXPECT_NEAR(a.distance, b.distance, 1e-9);
    EXPECT_EQ(a.triangle, b.triangle);
  }
}

TEST(MovingSurface, FindsNothingOutOfReachInNothingAndAtNoNumber) {
  const Mesh tube = test::tube(4, 1, 9, 12);
  const SurfaceTree tree(tube), none{Mesh{}};
  MovingSurface surface(tree), empty(none);
  surface.move(positionsOf(tube));
  empty.move({});
  EXPECT_FALSE(surface.nearest({9, 0, 0}, 1).found());
  EXPECT_FALSE(surface.nearest({NAN, 0, 0}, INFINITY).found());
  EXPECT_FALSE(empty.nearest({0, 0, 0}, INFINITY).found());
}

TEST(MovingSurface, BeyondABorderThereIsNoInside) {
  const Mesh grid = test::grid(3, 3); // in the plane y = 0
  const SurfaceTree tree(grid);
  MovingSurface surface(tree);
  surface.move(positionsOf(grid));
  EXPECT_GT(surface.nearest({-1, -0.5, 1.5}, INFINITY).distance, 0);
  EXPECT_GT(surface.nearest({-1, 0.5, 1.5}, INFINITY).distance, 0);
  EXPECT_NE(surface.nearest({1.5, -0.5, 1.5}, INFINITY).distance > 0,
            surface.nearest({1.5, 0.5, 1.5}, INFINITY).distance > 0);
}

TEST(MovingSurface, WindingNumbersCountHowOftenAClosedSurfaceEnclosesAPoint) {
  Mesh lower = test::tube(4, 1, 9, 12), upper = lower;
  for (Vec3f& p : upper.positions) p.y += 2;
  const Mesh both = test::joined(lower, upper);
  const SurfaceTree tree(both);
  MovingSurface surface(tree);
  surface.move(positionsOf(both));
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Vec3d p{random.uniform(-2, 2), random.uniform(-1, 7), random.uniform(-2, 2)};
    const double radius = std::hypot(p.x, p.z);
    if (radius > 0.9 && radius < 1.1) continue; // a tube of twelve sides
    const int count = radius > 1 ? 0 : (p.y > 0 && p.y < 4 ? 1 : 0) + (p.y > 2 && p.y < 6 ? 1 : 0);
    EXPECT_NEAR(surface.windingNumber(p), count, 0.1) << p.x << " " << p.y << " " << p.z;
  }
  EXPECT_EQ(surface.windingNumber({NAN, 0, 0}), 0);
}

// Where a posed limb is squeezed through itself, its surface is inside out: the closest point faces the wrong way.
TEST(MovingSurface, NothingIsInsideASurfaceThatIsTurnedInsideOut) {
  const Mesh tube = test::tube(4, 1, 33, 24);
  const SurfaceTree tree(tube);
  MovingSurface surface(tree);
  std::vector<Vec3d> pinched = positionsOf(tube);
  for (Vec3d& p : pinched) { // the upper half is turned through the axis, as by a twist of 180 degrees
    if (p.y > 2) p = {-p.x, p.y, p.z};
  }
  surface.move(pinched);
  for (const double radius : {0.2, 0.5, 0.8, 1.2, 1.5})
    for (int k = 0; k < 8; ++k) {
      const Vec3d out{radius * std::cos(k * M_PI / 4), 0, radius * std::sin(k * M_PI / 4)};
      EXPECT_EQ(surface.nearest(out + Vec3d{0, 1, 0}, INFINITY).distance < 0, radius < 1) << radius;
      EXPECT_GT(surface.nearest(out + Vec3d{0, 3, 0}, INFINITY).distance, 0) << radius;
    }
}

TEST(DistanceAnchor, BoundsTheDistanceOfPointsAround) {
  const Mesh tube = test::tube(4, 1, 9, 12);
  const SurfaceTree tree(tube);
  MovingSurface surface(tree);
  surface.move(positionsOf(tube));
  DistanceAnchor anchor;
  EXPECT_EQ(anchor.bound({0, 0, 0}), -INFINITY);
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    const Vec3d p{random.uniform(-3, 3), random.uniform(-2, 6), random.uniform(-3, 3)};
    const double distance = surface.nearest(p, INFINITY).distance;
    EXPECT_LE(anchor.bound(p), distance + 1e-9);
    if (i % 10 == 0) anchor.set(p, distance);
  }
}

} // namespace
} // namespace skincells::mesh

#include <gtest/gtest.h>

#include "base/random.h"
#include "mesh/closest_on_triangle.h"
#include "mesh/ray_query.h"
#include "skincells/threads.h"
#include "support/shapes.h"

namespace skincells {
namespace {

using mesh::RayQuery;

TEST(RayQuery, AnEmptyMeshHasNoHits) {
  const RayQuery query{Mesh{}};
  EXPECT_FALSE(query.anyHit({0, 0, 0}, {1, 0, 0}));
  EXPECT_FALSE(query.firstHit({0, 0, 0}, {1, 0, 0}));
  EXPECT_FALSE(query.closestPoint({0, 0, 0}));
  EXPECT_EQ(query.enclosure({0, 0, 0}), 0);
}

TEST(RayQuery, VerticesWithoutTriangles) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 1, 1}};
  EXPECT_FALSE(RayQuery(mesh).closestPoint({0, 0, 0}));
}

TEST(RayQuery, FirstHitInAnyUnit) {
  for (double unit : {1e-12, 1.0, 1e9}) {
    Mesh mesh = test::grid(4, 4);
    for (Vec3f& p : mesh.positions) p = toFloat(toDouble(p) * unit + Vec3d{0, 3 * unit, 0});
    const RayQuery query(mesh);
    const auto hit = query.firstHit(Vec3d{1.2, 0, 2.3} * unit, {0, 7, 0});
    ASSERT_TRUE(hit) << unit;
    EXPECT_NEAR(hit->distance / unit, 3, 1e-4);
    EXPECT_NEAR(length(hit->point - Vec3d{1.2, 3, 2.3} * unit) / unit, 0, 1e-4);
    EXPECT_FALSE(query.firstHit(Vec3d{1.2, 0, 2.3} * unit, {0, -1, 0}));
    EXPECT_FALSE(query.firstHit(Vec3d{1.2, 0, 2.3} * unit, {0, 0, 0}));
  }
}

TEST(RayQuery, TheLowestTriangleWinsATie) {
  const Mesh mesh = test::grid(2, 2);
  Mesh thrice = mesh;
  for (int i = 0; i < 2; ++i)
    thrice.triangles.insert(thrice.triangles.end(), mesh.triangles.begin(), mesh.triangles.end());
  const RayQuery query(thrice);
  EXPECT_EQ(query.firstHit({0.7, 2, 0.3}, {0, -1, 0})->triangle, 1U);
  EXPECT_EQ(query.firstHit({1.2, 2, 1.9}, {0, -1, 0})->triangle, 6U);
  EXPECT_EQ(query.closestPoint({1, 2, 1})->triangle, 0U); // the middle vertex belongs to six triangles
}

TEST(RayQuery, SegmentsRespectTheFilter) {
  const Mesh mesh = test::grid(2, 2);
  const RayQuery query(mesh);
  EXPECT_TRUE(query.anyHit({0.7, 1, 0.3}, {0.7, -1, 0.3}));
  EXPECT_FALSE(query.anyHit({0.7, 1, 0.3}, {0.7, 0.5, 0.3})); // too short
  EXPECT_FALSE(query.anyHit({0.7, 1, 0.3}, {0.7, 1, 0.3}));   // no length
  EXPECT_FALSE(query.anyHit({0.7, 1, 0.3}, {0.7, -1, 0.3}, [](std::uint32_t) { return false; }));
}

TEST(RayQuery, FromAVertexItsTrianglesDoNotCount) {
  Mesh mesh = test::grid(2, 2);
  EXPECT_FALSE(RayQuery(mesh).anyHitFromVertex(4, {1, -1, 1}));
  const Mesh above = mesh;
  for (Vec3f& p : mesh.positions) p.y = -0.5f;
  EXPECT_TRUE(RayQuery(test::joined(above, mesh)).anyHitFromVertex(4, {1, -1, 1}));
}

TEST(RayQuery, EnclosureDistinguishesInsideFromOutside) {
  const RayQuery query(test::tube(4, 0.5, 9, 16));
  EXPECT_EQ(query.enclosure({0, 2, 0}), 1);
  EXPECT_LT(query.enclosure({3, 2, 0}), 0.3);
  Mesh inverted = test::tube(4, 0.5, 9, 16);
  for (Triangle& t : inverted.triangles) std::swap(t[0], t[1]);
  EXPECT_EQ(RayQuery(inverted).enclosure({0, 2, 0}), 1); // orientation does not matter
}

TEST(RayQuery, ClosestPointAgreesWithAFullSearch) {
  Mesh mesh = test::tube(4, 0.5, 9, 12);
  mesh.triangles.push_back({0, 0, 1}); // triangles degenerated to an edge and a point
  mesh.triangles.push_back({5, 5, 5});
  const RayQuery query(mesh);
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const Vec3d p{random.uniform(-2, 2), random.uniform(-1, 5), random.uniform(-2, 2)};
    double best = INFINITY;
    for (const Triangle& t : mesh.triangles)
      best = std::fmin(
          best, length(p - mesh::closestOnTriangle(p, toDouble(mesh.positions[t[0]]), toDouble(mesh.positions[t[1]]),
                                                   toDouble(mesh.positions[t[2]]))));
    const auto got = query.closestPoint(p);
    ASSERT_TRUE(got);
    EXPECT_NEAR(got->distance, best, 1e-12);
    EXPECT_NEAR(length(got->point - p), best, 1e-12);
    // A place to start from changes nothing, however bad it is.
    const auto near = static_cast<std::uint32_t>(random.below(static_cast<std::uint32_t>(mesh.triangles.size())));
    const auto started = query.closestPoint(p, near);
    ASSERT_TRUE(started);
    EXPECT_EQ(started->triangle, got->triangle);
    EXPECT_EQ(started->point, got->point);
  }
}

TEST(ClosestOnTriangle, FaceEdgeCornerAndDegenerate) {
  const Vec3d a{0, 0, 0}, b{2, 0, 0}, c{0, 2, 0};
  EXPECT_EQ(mesh::closestOnTriangle({0.5, 0.5, 3}, a, b, c), (Vec3d{0.5, 0.5, 0}));
  EXPECT_EQ(mesh::closestOnTriangle({1, -1, 1}, a, b, c), (Vec3d{1, 0, 0}));
  EXPECT_EQ(mesh::closestOnTriangle({-1, -1, 0}, a, b, c), a);
  EXPECT_EQ(mesh::closestOnTriangle({2, 2, 0}, a, b, c), (Vec3d{1, 1, 0}));
  EXPECT_EQ(mesh::closestOnTriangle({1, 1, 0}, a, b, b), (Vec3d{1, 0, 0}));
  EXPECT_EQ(mesh::closestOnTriangle({1, 1, 0}, a, a, a), a);
}

TEST(RayQuery, SameResultsForAnyThreadCount) {
  const Mesh mesh = test::tube(4, 0.5, 200, 60);
  std::vector<std::uint32_t> results[3];
  int run = 0;
  for (int threads : {1, 2, 8}) {
    const ThreadLimit limit(threads);
    const RayQuery query(mesh);
    for (std::size_t v = 0; v < mesh.positions.size(); v += 7)
      results[run].push_back(query.closestPoint(toDouble(mesh.positions[v]))->triangle);
    ++run;
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(RayQuery, AnswersForPointsBeyondAllReach) {
  const RayQuery query(test::tube(4, 0.4, 9, 6));
  for (const double x : {1e15, 1e200, -1e308, static_cast<double>(INFINITY), static_cast<double>(NAN)}) {
    const Vec3d p{x, 0, 0};
    EXPECT_EQ(query.enclosure(p), 0);
    EXPECT_FALSE(query.anyHit(p, {0, 1, 0}));
    EXPECT_FALSE(query.anyHit({0, 1, 0}, p));
    EXPECT_FALSE(query.firstHit(p, {-1, 0, 0}));
    EXPECT_FALSE(query.firstHit({0, 1, 0}, {NAN, 0, 0}));
    EXPECT_EQ(query.closestPoint(p).has_value(), std::isfinite(x)) << x;
  }
}

} // namespace
} // namespace skincells

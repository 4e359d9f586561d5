#include <gtest/gtest.h>

#include "base/random.h"
#include "metrics/fill_unweighted.h"
#include "metrics/samples.h"
#include "metrics/stretch_meter.h"
#include "skincells/metrics.h"
#include "skincells/threads.h"
#include "support/shapes.h"

namespace skincells {
namespace {

// Every vertex follows only the joint that `joint_of` names.
template <class F> SparseWeights rigid(const Mesh& mesh, const F& joint_of) {
  SparseWeights w(mesh.positions.size(), 4);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    w.jointRow(v)[0] = static_cast<std::uint16_t>(joint_of(v));
    w.weightRow(v)[0] = 1;
  }
  return w;
}

SparseWeights onJoint(const Mesh& mesh, int joint) {
  return rigid(mesh, [joint](std::size_t) { return joint; });
}

Affine scaling(double x, double y, double z) {
  return Affine::fromTrs({}, {0, 0, 0, 1}, {x, y, z});
}

Mesh cube() {
  Mesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.positions.push_back({static_cast<float>(i & 1), static_cast<float>((i >> 1) & 1), static_cast<float>(i >> 2)});
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

PoseSet poses(std::vector<Pose> list) {
  return {"test", std::move(list)};
}

TEST(Metrics, TheSameSkinHasNoError) {
  const Mesh mesh = test::tube(4, 0.5, 9, 12);
  const SparseWeights w = rigid(mesh, [&](std::size_t v) { return mesh.positions[v].y > 2 ? 1 : 0; });
  const auto set = poses(randomPoses(test::chain(2, 4), {.count = 3}));
  const Comparison c = compareWeights(mesh, w, w, {set});
  ASSERT_EQ(c.sets.size(), 1U);
  EXPECT_EQ(c.sets[0].label, "test");
  EXPECT_EQ(c.sets[0].pose_count, 3);
  EXPECT_EQ(c.sets[0].error.rms, 0);
  EXPECT_EQ(c.sets[0].error.p95, 0);
  EXPECT_EQ(c.sets[0].error.max, 0);
  EXPECT_EQ(c.half_l1, 0);
  EXPECT_EQ(c.unweighted_vertices, 0U);
  EXPECT_EQ(c.max_influences, 1);
}

TEST(Metrics, RigidOffsetIsPercentOfTheDiagonal) {
  const Mesh mesh = cube();
  Pose pose(2);
  pose[1] = Affine::fromTranslation({0, 0.3, 0});
  const Comparison c = compareWeights(mesh, onJoint(mesh, 0), onJoint(mesh, 1), {poses({pose})});
  const double percent = 100 * 0.3 / std::sqrt(3.0);
  EXPECT_NEAR(c.sets[0].error.rms, percent, 1e-4);
  EXPECT_NEAR(c.sets[0].error.p95, percent, 1e-4);
  EXPECT_NEAR(c.sets[0].error.max, percent, 1e-4);
  EXPECT_EQ(c.half_l1, 1);
  EXPECT_NEAR(c.sets[0].shape.stretch_rms, 0, 1e-6);
  EXPECT_EQ(c.sets[0].shape.flipped_percent, 0);
}

TEST(Metrics, OneMovedVertexOfEight) {
  const Mesh mesh = cube();
  Pose still(2), moved(2);
  moved[1] = Affine::fromTranslation({2, 0, 0});
  const SparseWeights candidate = rigid(mesh, [](std::size_t v) { return v == 7 ? 1 : 0; });
  const Comparison c = compareWeights(mesh, onJoint(mesh, 0), candidate, {poses({still, moved})});
  EXPECT_NEAR(c.sets[0].error.rms, 100 * std::sqrt(4.0 / 16) / std::sqrt(3.0), 1e-4);
  EXPECT_NEAR(c.sets[0].error.max, 200 / std::sqrt(3.0), 1e-4);
  EXPECT_NEAR(c.half_l1, 1.0 / 8, 1e-12);
}

TEST(Metrics, HalfL1OfBlendedRows) {
  Mesh mesh = test::grid(1, 1);
  SparseWeights a = onJoint(mesh, 0), b = onJoint(mesh, 0);
  b.jointRow(0)[1] = 3;
  b.weightRow(0)[0] = 6; // rows are normalized first: 0.75 and 0.25
  b.weightRow(0)[1] = 2;
  EXPECT_NEAR(compareWeights(mesh, a, b, {}).half_l1, 0.25 / 4, 1e-7);
  EXPECT_NEAR(compareWeights(mesh, b, a, {}).half_l1, 0.25 / 4, 1e-7);
}

TEST(Metrics, KnownStretch) {
  const Mesh mesh = cube();
  const ShapeStatistics s = shapeStatistics(mesh, onJoint(mesh, 0), {{scaling(3, 3, 3)}});
  EXPECT_NEAR(s.stretch_rms, std::log(3), 1e-6);
  EXPECT_NEAR(s.stretch_p99, std::log(3), 1e-6);
  EXPECT_EQ(s.extreme_edges_percent, 100);
  EXPECT_EQ(s.flipped_percent, 0);
  EXPECT_NEAR(s.volume_percent, 2600, 1e-3); // 27 times the volume
  EXPECT_EQ(shapeStatistics(mesh, onJoint(mesh, 0), {{scaling(1.9, 1.9, 1.9)}}).extreme_edges_percent, 0);
}

TEST(Metrics, VolumeCountsClosedPartsOnly) {
  Mesh open = cube();
  open.triangles.pop_back();
  EXPECT_EQ(shapeStatistics(open, onJoint(open, 0), {{scaling(2, 1, 1)}}).volume_percent, 0);
  // Two closed cubes, one at rest: the total volume changes from 2 to 3.
  Mesh second = cube();
  for (Vec3f& p : second.positions) p.x += 5;
  Mesh both = test::joined(cube(), second);
  const SparseWeights w = rigid(both, [](std::size_t v) { return v < 8 ? 0 : 1; });
  Pose pose(2);
  pose[1] = scaling(1, 2, 1);
  EXPECT_NEAR(shapeStatistics(both, w, {pose}).volume_percent, 50, 1e-3);
  // With one of them inside out the total volume is 0, so there is no ratio.
  for (std::size_t t = 0; t < 12; ++t) std::swap(both.triangles[t][0], both.triangles[t][1]);
  EXPECT_EQ(shapeStatistics(both, w, {pose}).volume_percent, 0);
}

TEST(Metrics, FlippedAndCollapsedTriangles) {
  // Two triangles over one edge; the tip of the second is folded over the edge onto the first one's side.
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {0, 0, 1}, {-1, 0, 0.5f}, {1, 0, 0.5f}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}};
  const SparseWeights w = rigid(mesh, [](std::size_t v) { return v == 3 ? 1 : 0; });
  Pose over(2), flat(2);
  over[1] = Affine::fromTranslation({-1.5, 0, 0});
  flat[1] = Affine::fromTranslation({-1, 0, 0});
  EXPECT_EQ(shapeStatistics(mesh, w, {over}).flipped_percent, 50);
  EXPECT_EQ(shapeStatistics(mesh, w, {flat}).flipped_percent, 50);
  EXPECT_EQ(shapeStatistics(mesh, w, {Pose(2)}).flipped_percent, 0);
  // A body that rotates as a whole has no flipped triangle.
  Pose turned(2);
  turned[0] = turned[1] = Affine::rotation({1, 0, 0}, M_PI);
  EXPECT_EQ(shapeStatistics(mesh, w, {turned}).flipped_percent, 0);
}

TEST(Metrics, TornSeam) {
  const Mesh mesh = test::unwelded(test::grid(1, 1)); // six vertices, two of four positions doubled
  Pose pose(2);
  pose[1] = Affine::fromTranslation({0, 0.5, 0});
  const SparseWeights torn = rigid(mesh, [](std::size_t v) { return v < 3 ? 0 : 1; });
  EXPECT_NEAR(shapeStatistics(mesh, torn, {pose}).tear_percent, 100 * 0.5 / std::sqrt(2.0), 1e-4);
  EXPECT_EQ(shapeStatistics(mesh, onJoint(mesh, 1), {pose}).tear_percent, 0);
}

TEST(Metrics, ManyDifferentRowsOnOnePoint) {
  Mesh mesh;
  mesh.positions.assign(500, Vec3f{1, 1, 1});
  mesh.positions.push_back({2, 1, 1});
  SparseWeights w(mesh.positions.size(), 4);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    w.jointRow(v)[1] = 1;
    w.weightRow(v)[0] = static_cast<float>(v) / 500;
    w.weightRow(v)[1] = 1 - w.weightRow(v)[0];
  }
  Pose pose(2);
  pose[1] = Affine::fromTranslation({0, 1, 0});
  EXPECT_NEAR(shapeStatistics(mesh, w, {pose}).tear_percent, 100 * 499.0 / 500, 1e-3);
}

TEST(Metrics, UnweightedVerticesFollowTheNearestWeightedOne) {
  const Mesh mesh = cube();
  SparseWeights holes = onJoint(mesh, 0);
  holes.weightRow(3)[0] = 0;
  const Comparison c = compareWeights(mesh, onJoint(mesh, 0), holes, {});
  EXPECT_EQ(c.unweighted_vertices, 1U);
  EXPECT_EQ(c.half_l1, 0);
  SparseWeights none(mesh.positions.size(), 4);
  EXPECT_EQ(metrics::fillUnweighted(mesh.positions, none), 8U);
}

TEST(Metrics, DegenerateMeshes) {
  Mesh point;
  point.positions.assign(3, Vec3f{2, 2, 2});
  point.triangles = {{0, 1, 2}};
  Pose pose(1);
  pose[0] = Affine::fromTranslation({1, 0, 0});
  const Comparison c = compareWeights(point, onJoint(point, 0), onJoint(point, 0), {poses({pose}), poses({})});
  EXPECT_EQ(c.sets[0].error.rms, 0);
  EXPECT_EQ(c.sets[0].shape.stretch_rms, 0);
  EXPECT_EQ(c.sets[1].pose_count, 0);
  // An edge that shrinks to length 0 is extreme, not infinite.
  const Mesh mesh = cube();
  const ShapeStatistics s = shapeStatistics(mesh, onJoint(mesh, 0), {{scaling(0, 0, 0)}});
  EXPECT_TRUE(std::isfinite(s.stretch_rms));
  EXPECT_EQ(s.extreme_edges_percent, 100);
  EXPECT_EQ(s.flipped_percent, 100);
}

TEST(Metrics, SameResultsForAnyThreadCount) {
  const Mesh mesh = test::tube(4, 0.5, 200, 60);
  const SparseWeights a = rigid(mesh, [&](std::size_t v) { return mesh.positions[v].y > 2 ? 1 : 0; });
  const SparseWeights b = rigid(mesh, [&](std::size_t v) { return mesh.positions[v].y > 2.3f ? 1 : 0; });
  const auto set = poses(randomPoses(test::chain(2, 4), {.count = 5}));
  std::vector<double> rms, stretch;
  for (int threads : {1, 2, 8}) {
    const ThreadLimit limit(threads);
    const Comparison c = compareWeights(mesh, a, b, {set});
    rms.push_back(c.sets[0].error.rms);
    stretch.push_back(c.sets[0].shape.stretch_rms);
  }
  EXPECT_GT(rms[0], 0);
  EXPECT_EQ(rms, std::vector<double>(3, rms[0]));
  EXPECT_EQ(stretch, std::vector<double>(3, stretch[0]));
}

TEST(Samples, PercentileInterpolates) {
  metrics::Samples samples;
  EXPECT_EQ(samples.percentile(0.95), 0);
  const auto out = samples.extend(5);
  for (std::size_t i = 0; i < 5; ++i) out[i] = static_cast<float>((i * 2) % 5); // 0 2 4 1 3
  EXPECT_EQ(samples.percentile(0), 0);
  EXPECT_EQ(samples.percentile(0.5), 2);
  EXPECT_NEAR(samples.percentile(0.95), 3.8, 1e-12);
  EXPECT_EQ(samples.percentile(1), 4);
  EXPECT_EQ(samples.max(), 4);
  EXPECT_NEAR(samples.rms(), std::sqrt(6.0), 1e-12);
  EXPECT_NEAR(samples.shareAbove(2), 0.4, 1e-12);
}

TEST(Samples, PercentileIsThatOfTheSortedSamples) {
  Random random(3);
  metrics::Samples samples;
  std::vector<float> sorted;
  for (float& x : samples.extend(5001)) {
    x = random.below(3) == 0 ? 0.25F : static_cast<float>(std::exp(random.uniform(-20, 5))); // some are equal
    sorted.push_back(x);
  }
  std::ranges::sort(sorted);
  for (const double share : {0.0, 0.001, 0.25, 0.3333, 0.5, 0.99, 0.9999, 1.0}) {
    const double place = share * 5000, whole = std::floor(place);
    const auto at = static_cast<std::size_t>(whole);
    const float low = sorted[at], high = sorted[std::min<std::size_t>(at + 1, 5000)];
    EXPECT_EQ(samples.percentile(share), low + (high - low) * (place - whole)) << share;
  }
}

TEST(StretchMeter, IsTheStretchOfAllStatistics) {
  const Mesh mesh = test::tube(4, 0.5, 9, 12);
  const SparseWeights w = rigid(mesh, [&](std::size_t v) { return mesh.positions[v].y > 2 ? 1 : 0; });
  const std::vector<Pose> poses{{Affine{}, scaling(1, 3, 1)}, {scaling(2, 2, 2), Affine{}}};
  const double all = shapeStatistics(mesh, w, poses).stretch_rms;
  EXPECT_GT(all, 0.1);
  EXPECT_EQ(metrics::stretchRms(mesh, metrics::WeldedSurface(mesh), w, poses), all);
}

} // namespace
} // namespace skincells

// The methods beside ours.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "studies/beside/bounded_biharmonic.h"
#include "studies/beside/geodesic_voxels.h"
#include "studies/beside/learned_field.h"
#include "studies/beside/tetrahedra.h"
#include "support/shapes.h"

namespace skincells::studies {
namespace {

// Two bones along a tube from y = 0 to 4.
const std::vector<rig::BoneSegment> kBones{{0, {0, 0.2, 0}, {0, 2, 0}}, {1, {0, 2, 0}, {0, 3.8, 0}}};

double weightOf(const SparseWeights& w, std::size_t v, int joint) {
  for (std::size_t k = 0; k < w.jointRow(v).size(); ++k)
    if (w.weightRow(v)[k] > 0 && w.jointRow(v)[k] == joint) return static_cast<double>(w.weightRow(v)[k]);
  return 0;
}

// Joint 0 below, joint 1 above, both in the middle; rows sum to 1.
void expectHalves(const Mesh& tube, const SparseWeights& w) {
  for (std::size_t v = 0; v < w.vertexCount(); ++v) {
    const double y = static_cast<double>(tube.positions[v].y), below = weightOf(w, v, 0), above = weightOf(w, v, 1);
    EXPECT_NEAR(below + above, 1, 1e-4);
    // The tetrahedra of the middle are few and not symmetric.
    const double least = y < 1 ? 0.7 : std::abs(y - 2) < 1e-3 ? 0.15 : 0;
    EXPECT_GE(below, least) << y;
    EXPECT_GE(above, y > 3 ? 0.7 : y < 1 ? 0 : least) << y;
  }
}

TEST(GeodesicVoxels, ShareATubeBetweenItsBones) {
  const Mesh tube = test::tube(4, 0.4, 41, 16);
  expectHalves(tube, geodesicVoxelWeights(tube, kBones, {.resolution = 64, .max_influences = 2}));
}

TEST(GeodesicVoxels, WalkThroughTheBodyAndNotThroughTheAir) {
  // Two tubes side by side; the second is not connected to the bone of the first.
  Mesh two = test::tube(4, 0.4, 41, 16);
  const auto count = two.vertexCount();
  const Mesh one = two;
  for (const Vec3f& p : one.positions) two.positions.push_back(p + Vec3f{1, 0, 0});
  for (const Triangle& t : one.triangles) two.triangles.push_back({t[0] + count, t[1] + count, t[2] + count});
  const std::vector<rig::BoneSegment> bones{{0, {0, 0.2, 0}, {0, 3.8, 0}}, {1, {1, 3.5, 0}, {1, 3.8, 0}}};
  const SparseWeights w = geodesicVoxelWeights(two, bones, {.resolution = 64, .max_influences = 2});
  for (std::size_t v = count; v < w.vertexCount(); ++v) EXPECT_EQ(weightOf(w, v, 1), 1) << v;
}

TEST(BoundedBiharmonic, SharesATubeBetweenItsBones) {
  if (!hasTetgen()) GTEST_SKIP() << "tetgen is not installed";
  const Mesh tube = test::tube(4, 0.4, 41, 16);
  const auto w = boundedBiharmonicWeights(tube, kBones, {.max_influences = 2});
  ASSERT_TRUE(w) << w.error().text();
  expectHalves(tube, *w);
}

TEST(BoundedBiharmonic, FailsWhereThereIsNoInside) {
  if (!hasTetgen()) GTEST_SKIP() << "tetgen is not installed";
  Mesh open = test::tube(4, 0.4, 9, 8);
  open.triangles.resize(open.triangles.size() / 2);
  EXPECT_FALSE(boundedBiharmonicWeights(open, kBones));
}

// The derivative of a random combination of weights, against differences.
void expectGradient(LearnedField& field) {
  Random random(6);
  std::vector<Vec3f> points(20);
  for (Vec3f& p : points) p = toFloat({random.uniform(), random.uniform(), random.uniform()});
  std::vector<float> weights, gradient(field.parameters().size()), by_weight;
  field.evaluate(points, weights);
  for (std::size_t i = 0; i < weights.size(); ++i) by_weight.push_back(static_cast<float>(random.uniform(-1, 1)));
  const auto value = [&] {
    field.evaluate(points, weights);
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) sum += static_cast<double>(weights[i] * by_weight[i]);
    return sum;
  };
  field.differentiate(by_weight, gradient);
  double largest = 0;
  for (float g : gradient) largest = std::max(largest, std::abs(static_cast<double>(g)));
  for (std::size_t i = 0; i < gradient.size(); i += 1 + gradient.size() / 40) {
    constexpr float kStep = 2e-3F;
    float& p = field.parameters()[i];
    const float before = p;
    p = before + kStep;
    const double above = value();
    p = before - kStep;
    const double below = value();
    p = before;
    EXPECT_NEAR((above - below) / (2 * static_cast<double>(kStep)), static_cast<double>(gradient[i]), 0.03 * largest)
        << i;
  }
}

TEST(LearnedField, GradientsAreThoseOfTheWeights) {
  const auto voronoi =
      makeVoronoiField({{{0.2, 0.2, 0.5}, {0.3, 0.6, 0.5}}, {{0.8, 0.3, 0.5}, {0.7, 0.7, 0.4}}, {{0.5, 0.5, 0.9}}});
  expectGradient(*voronoi);
  const auto network = makeNetworkField(3, 8, 1);
  expectGradient(*network);
}

TEST(LearnedField, FollowsItsGuess) {
  const Mesh tube = test::tube(4, 0.4, 41, 16);
  SparseWeights guess(tube.positions.size(), 1);
  for (std::size_t v = 0; v < guess.vertexCount(); ++v) {
    guess.joints[v] = tube.positions[v].y > 2;
    guess.weights[v] = 1;
  }
  const fit::PoseBatches none = [](int, int count) {
    return std::vector<Pose>(static_cast<std::size_t>(count), Pose(2));
  };
  const auto network = makeNetworkField(2, 16, 1);
  optimize(*network, {tube, {}, guess, none, 2}, 200, 0);
  const SparseWeights w = weightsAt(*network, tube, tube.positions, 2);
  for (std::size_t v = 0; v < w.vertexCount(); ++v)
    EXPECT_GT(weightOf(w, v, guess.joints[v]), std::abs(tube.positions[v].y - 2) > 0.5F ? 0.8 : -1) << v;
}

} // namespace
} // namespace skincells::studies

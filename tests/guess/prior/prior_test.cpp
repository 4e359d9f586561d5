// The learned prior: its features, its table and its evaluation.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "base/random.h"
#include "guess/prior/confidence.h"
#include "guess/surface_guess.h"
#include "kernels/kernels.h"
#include "skincells/threads.h"
#include "support/shapes.h"
#include "support/torture.h"

namespace skincells::guess {
namespace {

rig::DeformRig rigOf(const Skeleton& skeleton) {
  rig::DeformRig rig{skeleton, std::vector<int>(skeleton.joints.size()), {}};
  std::iota(rig.deforming.begin(), rig.deforming.end(), 0);
  return rig;
}

PriorFeatures featuresOf(const Character& c) {
  return viewForPrior(weldedMesh(c.mesh, weldByPosition(c.mesh.positions, weldTolerance(c.mesh))), rigOf(c.skeleton))
      .features;
}

constexpr std::uint32_t kWidth = 16;

std::size_t tableSize(std::uint32_t features) {
  const std::size_t f = features, w = kWidth;
  return 2 * f + (f * w + w) + (w * w + w) + w * w + (2 * w * w + w) + w + (w * w + w) + (w + 1);
}

// A table with random numbers; the vote is scaled by `vote`.
std::vector<unsigned char> randomTable(float vote) {
  const std::uint32_t header[] = {0x50434b53, static_cast<std::uint32_t>(featureCount()), kWidth};
  Random random(5);
  std::vector<float> numbers(tableSize(header[1]));
  for (float& x : numbers) x = static_cast<float>(random.uniform(-0.3, 0.3));
  for (std::size_t i = numbers.size() - kWidth - 1; i < numbers.size(); ++i) numbers[i] *= vote;
  std::vector<unsigned char> bytes(sizeof header + numbers.size() * sizeof(float));
  std::memcpy(bytes.data(), header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, numbers.data(), numbers.size() * sizeof(float));
  return bytes;
}

TEST(PriorFeatures, AreFiniteAndOfDistinctJoints) {
  const Character c = test::humanoidWithClips();
  const PriorFeatures features = featuresOf(c);
  ASSERT_GT(features.joints.size(), 0U);
  ASSERT_EQ(features.values.size(), features.joints.size() * static_cast<std::size_t>(featureCount()));
  for (float x : features.values) ASSERT_TRUE(std::isfinite(x) && std::abs(x) < 100);
  for (std::size_t v = 0; v < features.joints.size() / kCandidates; ++v) {
    std::multiset<int> joints(features.joints.begin() + static_cast<std::ptrdiff_t>(v * kCandidates),
                              features.joints.begin() + static_cast<std::ptrdiff_t>((v + 1) * kCandidates));
    ASSERT_GE(features.joints[v * kCandidates], 0);
    joints.erase(-1);
    for (int j : joints) {
      ASSERT_EQ(joints.count(j), 1U);
      ASSERT_LT(j, c.skeleton.jointCount());
    }
  }
}

TEST(PriorFeatures, DoNotDependOnTheUnit) {
  Character c = test::humanoidWithClips();
  const PriorFeatures before = featuresOf(c);
  for (Vec3f& p : c.mesh.positions) p *= 64.0F; // exact in floating point
  for (Joint& j : c.skeleton.joints)
    for (Affine* place : {&j.bind, &j.rest})
      for (auto& row : place->m) row[3] *= 64;
  const PriorFeatures after = featuresOf(c);
  ASSERT_EQ(before.joints, after.joints);
  for (std::size_t i = 0; i < before.values.size(); ++i) ASSERT_NEAR(before.values[i], after.values[i], 1e-4);
}

TEST(PriorFeatures, HaveANameEach) {
  EXPECT_EQ(featureNames().size(), static_cast<std::size_t>(featureCount()));
  const auto names = featureNames();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

TEST(Prior, WithoutAVoteNothingChanges) {
  const PriorFeatures features = featuresOf(test::humanoidWithClips());
  const auto prior = Prior::read(randomTable(0));
  ASSERT_TRUE(prior) << prior.error().text();
  const SparseWeights weights = prior->weights(features, kCandidates);
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
    double total = 0;
    for (std::size_t c = 0; c < kCandidates; ++c)
      if (features.joints[v * kCandidates + c] >= 0)
        total += std::exp(static_cast<double>(features.start[v * kCandidates + c]));
    for (std::size_t k = 0; k < kCandidates; ++k)
      for (std::size_t c = 0; c < kCandidates; ++c)
        if (weights.weightRow(v)[k] > 0 && features.joints[v * kCandidates + c] == weights.jointRow(v)[k]) {
          ASSERT_NEAR(weights.weightRow(v)[k],
                      std::exp(static_cast<double>(features.start[v * kCandidates + c])) / total, 1e-5);
        }
  }
}

TEST(Prior, KeepsTheCapAndSumsToOne) {
  const PriorFeatures features = featuresOf(test::humanoidWithClips());
  for (int cap : {1, 2, 4}) {
    const SparseWeights weights = Prior::builtIn().weights(features, cap);
    ASSERT_EQ(weights.slots, cap);
    for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
      float sum = 0;
      for (float w : weights.weightRow(v)) sum += w;
      ASSERT_NEAR(sum, 1, 1e-5);
    }
  }
}

TEST(Prior, SameBytesOnEveryInstructionSetAndForAnyThreadCount) {
  const PriorFeatures features = featuresOf(test::humanoidWithClips());
  const auto prior = Prior::read(randomTable(5));
  ASSERT_TRUE(prior);
  const SparseWeights weights = prior->weights(features, 4);
  {
    const kernels::ScalarOnly scalar;
    const SparseWeights again = prior->weights(features, 4);
    EXPECT_EQ(again.weights, weights.weights);
    EXPECT_EQ(again.joints, weights.joints);
  }
  const ThreadLimit one(1);
  EXPECT_EQ(prior->weights(features, 4).weights, weights.weights);
}

TEST(Prior, RefusesDamagedTables) {
  const std::vector<unsigned char> good = randomTable(1);
  for (std::size_t size : {std::size_t{0}, std::size_t{3}, std::size_t{12}, good.size() / 2, good.size() - 1})
    EXPECT_FALSE(Prior::read(std::span(good).first(size))) << size;
  std::vector<unsigned char> bad = good;
  bad.push_back(0);
  EXPECT_FALSE(Prior::read(bad));
  bad = good;
  bad[0] ^= 1;
  EXPECT_FALSE(Prior::read(bad));
  bad = good;
  bad[4] += 1;
  const auto other = Prior::read(bad);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("train it again"), std::string::npos);
}

TEST(Prior, TheBuiltInTableIsSmall) {
  EXPECT_LE(builtInPriorTable().size(), 256U * 1024);
  EXPECT_TRUE(Prior::read(builtInPriorTable()));
}

// Confidence of one vertex at `point` with two joints of equal weight.
float confidenceBetween(const Skeleton& skeleton, const Vec3f& point, int a, int b) {
  Mesh mesh;
  mesh.positions = {point, {0, 0, 0}, {100, 100, 100}}; // the others only give it a size
  SparseWeights weights(3, 2);
  for (std::size_t v = 0; v < 3; ++v) {
    weights.jointRow(v)[0] = static_cast<std::uint16_t>(a);
    weights.jointRow(v)[1] = static_cast<std::uint16_t>(b);
    weights.weightRow(v)[0] = weights.weightRow(v)[1] = 0.5F;
  }
  return confidenceOf(mesh, rigOf(skeleton), weights)[0];
}

TEST(Confidence, FallsWithThePlacesWhereTheJointsWouldCarryTheVertex) {
  Skeleton skeleton; // a root with two chains
  const auto add = [&](int parent, double x) {
    Joint joint;
    joint.name = "joint" + std::to_string(skeleton.joints.size());
    joint.parent = parent;
    joint.bind = Affine::fromTranslation({x, 0, 0});
    skeleton.joints.push_back(joint);
    return skeleton.jointCount() - 1;
  };
  const int root = add(kNoParent, 50), left = add(root, 40), left_tip = add(left, 20), right = add(root, 60);
  const float same = confidenceBetween(skeleton, {20, 10, 0}, left_tip, left_tip);
  const float border = confidenceBetween(skeleton, {20, 1, 0}, left, left_tip);
  const float farther = confidenceBetween(skeleton, {10, 1, 0}, left, left_tip);
  const float across = confidenceBetween(skeleton, {20, 1, 0}, left_tip, right);
  EXPECT_EQ(same, 1.0F);
  EXPECT_GT(border, farther);
  EXPECT_GT(farther, across);
  EXPECT_GT(across, 0.0F);
}

TEST(Confidence, IsKnownForEveryVertexOfTheFullMeshWithThePriorOnly) {
  const Character c = test::humanoidWithClips();
  const Mesh welded = weldedMesh(c.mesh, weldByPosition(c.mesh.positions, weldTolerance(c.mesh)));
  const auto sure = guessForField(welded, rigOf(c.skeleton), {.prior = &Prior::builtIn()}).confidence;
  ASSERT_EQ(sure.size(), welded.positions.size());
  const auto [low, high] = std::ranges::minmax(sure);
  EXPECT_GT(low, 0.0F);
  EXPECT_LE(high, 1.0F);
  EXPECT_LT(low, high);
  EXPECT_TRUE(guessForField(welded, rigOf(c.skeleton)).confidence.empty());
}

} // namespace
} // namespace skincells::guess

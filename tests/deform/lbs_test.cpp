#include <numbers>

#include <gtest/gtest.h>

#include "base/random.h"
#include "deform/lbs.h"
#include "skincells/threads.h"
#include "support/shapes.h"

namespace skincells {
namespace {

SparseWeights randomWeights(std::size_t vertex_count, int slots, int joint_count, std::uint64_t seed) {
  Random random(seed);
  SparseWeights w(vertex_count, slots);
  for (std::size_t i = 0; i < w.weights.size(); ++i) {
    w.joints[i] = static_cast<std::uint16_t>(random.below(static_cast<std::uint32_t>(joint_count)));
    w.weights[i] = static_cast<float>(random.uniform());
  }
  canonicalize(w, slots);
  return w;
}

std::vector<Vec3f> skinned(std::span<const Vec3f> rest, const SparseWeights& w, const Pose& pose) {
  std::vector<Vec3f> out(rest.size());
  deform::skin(rest, w, pose, out);
  return out;
}

TEST(Skin, EmptyMesh) {
  EXPECT_TRUE(skinned({}, {}, {}).empty());
}

TEST(Skin, BindPoseReturnsTheMesh) {
  const Mesh mesh = test::tube(3, 1, 12, 9);
  const auto out = skinned(mesh.positions, randomWeights(mesh.positions.size(), 4, 5, 1), Pose(5));
  for (std::size_t v = 0; v < out.size(); ++v) EXPECT_NEAR(length(out[v] - mesh.positions[v]), 0, 1e-5);
}

TEST(Skin, BlendsTheTransformedPositions) {
  const std::vector<Vec3f> rest{{1, 2, 3}};
  SparseWeights w(1, 3);
  w.joints = {2, 0, 999}; // the last slot is unused, so its joint is never read
  w.weights = {0.75f, 0.25f, 0};
  Pose pose(3);
  pose[0] = Affine::fromTranslation({4, 0, 0});
  pose[2] = Affine::rotation({0, 0, 1}, std::numbers::pi / 2); // (1, 2, 3) -> (-2, 1, 3)
  const Vec3f got = skinned(rest, w, pose)[0];
  EXPECT_NEAR(got.x, 0.75 * -2 + 0.25 * 5, 1e-6);
  EXPECT_NEAR(got.y, 0.75 * 1 + 0.25 * 2, 1e-6);
  EXPECT_NEAR(got.z, 3, 1e-6);
}

TEST(Skin, SameBytesForAnyThreadCount) {
  const Mesh mesh = test::tube(3, 1, 300, 40);
  const SparseWeights w = randomWeights(mesh.positions.size(), 4, 6, 2);
  const Pose pose = randomPoses(test::chain(6, 3), {.count = 1})[0];
  std::vector<std::vector<Vec3f>> results;
  for (int threads : {1, 2, 8}) {
    const ThreadLimit limit(threads);
    results.push_back(skinned(mesh.positions, w, pose));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

} // namespace
} // namespace skincells

#include <numeric>

#include <gtest/gtest.h>

#include "guess/rigid_parts.h"
#include "support/shapes.h"

namespace skincells::guess {
namespace {

// A tube with a smaller tube beside it, both weighted by height between joints 0 and 1; the upper joint has `upper` at
// the foot of the smaller tube.
struct Scene {
  Mesh mesh;
  Skeleton skeleton = test::chain(2, 4);
  SparseWeights weights;
  std::uint32_t first = 0; // vertex of the smaller part

  Scene(double size, double height, double slope, double upper_at_foot = 0.3) {
    Mesh part = test::tube(size, size / 2, 4, 8);
    for (Vec3f& p : part.positions) p += Vec3f{2, static_cast<float>(height), 0};
    const Mesh body = test::tube(4, 0.4, 33, 12);
    first = body.vertexCount();
    mesh = test::joined(body, part);
    weights = SparseWeights(mesh.positions.size(), 2);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const float upper =
          static_cast<float>(upper_at_foot + slope * (static_cast<double>(mesh.positions[v].y) - height));
      weights.jointRow(v)[1] = 1;
      weights.weightRow(v)[0] = 1 - upper;
      weights.weightRow(v)[1] = upper;
    }
    canonicalize(weights, 2);
  }
};

std::vector<RigidPart> bindParts(Scene& s, const SparseWeights& heat) {
  const GuessScene scene(s.mesh);
  const Skeleton placed = scene.place(s.skeleton);
  std::vector<int> all(s.skeleton.joints.size());
  std::iota(all.begin(), all.end(), 0);
  return bindRigidParts(scene, placed, rig::boneSegments(placed, all), heat, {}, s.weights);
}
std::vector<RigidPart> bindParts(Scene& s) {
  return bindParts(s, SparseWeights(s.weights));
}

TEST(RigidParts, AccessoryTakesTheRowsThatItTouches) {
  Scene s(0.4, 3, 0.02);
  const SparseWeights before = s.weights;
  const auto made = bindParts(s);
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].vertices.front(), s.first);
  for (std::size_t v = s.first; v < s.mesh.positions.size(); ++v)
    for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(s.weights.weightRow(v)[k], s.weights.weightRow(s.first)[k]);
  EXPECT_NEAR(static_cast<double>(s.weights.weightRow(s.first)[0]), 0.7, 0.01) << "a blend, like the tube beside it";
  for (std::size_t v = 0; v < s.first; ++v) EXPECT_EQ(s.weights.weightRow(v)[0], before.weightRow(v)[0]);
}

TEST(RigidParts, PartWithABoneCloseByIsNoAccessory) {
  Scene s(0.4, 3, 0.02, 0.2);
  test::addJoint(s.skeleton, "handle", 1, {2.21, 2.8, 0}); // beside the part, whose box ends at 2.2
  test::addJoint(s.skeleton, "handle_end", 2, {2.21, 3.6, 0});
  const auto made = bindParts(s);
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(s.weights.weightRow(s.first)[0], 1) << "it follows its own joint, not the rows of the tube";
}

TEST(RigidParts, LargePartOfSeveralJointsStaysSoft) {
  Scene s(2.5, 0.5, 0.2);
  EXPECT_TRUE(bindParts(s).empty());
}

TEST(RigidParts, LargePartThatIsMostlyOneJointsFollowsItAlone) {
  Scene s(2.5, 0.5, 0.1, 0.1);
  const auto made = bindParts(s);
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].joint, 0);
  for (std::size_t v = s.first; v < s.mesh.positions.size(); ++v) {
    EXPECT_EQ(s.weights.jointRow(v)[0], 0);
    EXPECT_EQ(s.weights.weightRow(v)[0], 1);
    EXPECT_EQ(s.weights.weightRow(v)[1], 0);
  }
}

TEST(RigidParts, PartThatTheHeatGivesToOneJointStaysThatJointsWhateverThePriorSays) {
  Scene s(2.5, 0.5, 0.2);
  const Scene heat(2.5, 0.5, 0.1, 0.1);
  const auto made = bindParts(s, heat.weights);
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].joint, 0);
  EXPECT_EQ(s.weights.weightRow(s.first)[0], 1);
}

TEST(RigidParts, EyeballFollowsTheLeafInItsMiddle) {
  Scene s(0.3, 3, 0.1);
  test::addJoint(s.skeleton, "eye", 1, {2, 3.15, 0}); // the bone of joint 1 ends here, and is as near
  ASSERT_EQ(bindParts(s).size(), 1U);
  for (std::size_t v = s.first; v < s.mesh.positions.size(); ++v) {
    EXPECT_EQ(s.weights.jointRow(v)[0], 2);
    EXPECT_EQ(s.weights.weightRow(v)[0], 1);
  }
}

TEST(RigidParts, RowsAreCarriedOverToOtherWeights) {
  Scene s(0.4, 3, 0.02);
  const auto rows = rigidRows(bindParts(s), s.weights);
  Scene other(0.4, 3, 0.1);
  ASSERT_EQ(rows.size(), 1U);
  rows[0].bind(other.weights);
  for (std::size_t v = s.first; v < s.mesh.positions.size(); ++v)
    EXPECT_EQ(other.weights.weightRow(v)[0], s.weights.weightRow(v)[0]);
}

} // namespace
} // namespace skincells::guess

#include <numeric>

#include <gtest/gtest.h>

#include "guess/rigid_parts.h"
#include "support/shapes.h"

namespace skincells::guess {
namespace {

// A tube with a small tube beside it, both weighted by height between joints 0 and 1.
struct Scene {
  Mesh mesh;
  Skeleton skeleton = test::chain(2, 4);
  SparseWeights weights;
  std::uint32_t first = 0; // vertex of the small part

  Scene(double size, double height, double slope) {
    Mesh part = test::tube(size, size / 2, 4, 8);
    for (Vec3f& p : part.positions) p += Vec3f{2, static_cast<float>(height), 0};
    const Mesh body = test::tube(4, 0.4, 33, 12);
    first = body.vertexCount();
    mesh = test::joined(body, part);
    weights = SparseWeights(mesh.positions.size(), 2);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const float upper = static_cast<float>(0.3 + slope * (static_cast<double>(mesh.positions[v].y) - height));
      weights.jointRow(v)[1] = 1;
      weights.weightRow(v)[0] = 1 - upper;
      weights.weightRow(v)[1] = upper;
    }
    canonicalize(weights, 2);
  }
};

std::vector<RigidPart> bindParts(Scene& s) {
  const GuessScene scene(s.mesh);
  const Skeleton placed = scene.place(s.skeleton);
  std::vector<int> all(s.skeleton.joints.size());
  std::iota(all.begin(), all.end(), 0);
  return bindRigidParts(scene, placed, rig::boneSegments(placed, all), s.weights);
}

TEST(RigidParts, SmallPartMovesAsOnePieceAndTheBodyBends) {
  Scene s(0.4, 3, 0.02);
  const SparseWeights before = s.weights;
  const auto made = bindParts(s);
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].vertices.front(), s.first);
  EXPECT_EQ(made[0].kind, RigidKind::Accessory);
  for (std::size_t v = s.first; v < s.mesh.positions.size(); ++v)
    for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(s.weights.weightRow(v)[k], s.weights.weightRow(s.first)[k]);
  for (std::size_t v = 0; v < s.first; ++v) EXPECT_EQ(s.weights.weightRow(v)[0], before.weightRow(v)[0]);
}

TEST(RigidParts, PartWithABoneCloseByIsNoAccessory) {
  Scene s(0.4, 3, 0.02);
  test::addJoint(s.skeleton, "handle", 1, {2.25, 2.8, 0}); // beside the part, whose box ends at 2.2
  test::addJoint(s.skeleton, "handle_end", 2, {2.25, 3.6, 0});
  const auto made = bindParts(s);
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].kind, RigidKind::Stiff) << "it follows its own weights, not those of the tube";
}

TEST(RigidParts, LargePartOverWhichWeightsVaryStaysSoft) {
  Scene s(2.5, 0.5, 0.25);
  EXPECT_TRUE(bindParts(s).empty());
}

TEST(RigidParts, LargePartOverWhichWeightsHardlyVaryIsStiff) {
  Scene s(2.5, 0.5, 0.01);
  const auto made = bindParts(s);
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].kind, RigidKind::Stiff);
}

TEST(RigidParts, EyeballFollowsTheLeafInItsMiddle) {
  Scene s(0.3, 3, 0.1);
  Joint eye;
  eye.name = "eye";
  eye.parent = 1;
  eye.bind = eye.rest = Affine::fromTranslation({2, 3.15, 0});
  s.skeleton.joints.push_back(eye);
  const auto made = bindParts(s);
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].kind, RigidKind::Ball);
  for (std::size_t v = s.first; v < s.mesh.positions.size(); ++v) {
    EXPECT_EQ(s.weights.jointRow(v)[0], 2);
    EXPECT_EQ(s.weights.weightRow(v)[0], 1);
    EXPECT_EQ(s.weights.weightRow(v)[1], 0);
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

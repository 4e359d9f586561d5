#include <gtest/gtest.h>

#include "rig/bones.h"
#include "support/shapes.h"

namespace skincells {
namespace {

TEST(Bones, OneSegmentPerChildAndAPointForALeaf) {
  Skeleton s = test::chain(3, 3);
  Joint branch;
  branch.parent = 0;
  branch.bind = Affine::fromTranslation({5, 0, 0});
  s.joints.push_back(branch);
  const auto bones = rig::boneSegments(s, std::vector<int>{0, 1, 2, 3});
  ASSERT_EQ(bones.size(), 5U);
  EXPECT_EQ(bones[0].joint, 0);
  EXPECT_EQ(bones[0].b, (Vec3d{0, 1, 0}));
  EXPECT_EQ(bones[1].joint, 0);
  EXPECT_EQ(bones[1].b, (Vec3d{5, 0, 0}));
  EXPECT_EQ(bones[3].a, bones[3].b);
}

TEST(Bones, DroppedJointsOwnNoSegmentButEndOne) {
  const Skeleton s = test::chain(4, 4);
  const auto bones = rig::boneSegments(s, std::vector<int>{0, 2});
  ASSERT_EQ(bones.size(), 2U);
  EXPECT_EQ(bones[0].b, (Vec3d{0, 1, 0})); // toward the dropped inner joint
  EXPECT_EQ(bones[1].joint, 2);
  EXPECT_EQ(bones[1].a, (Vec3d{0, 2, 0})); // starts at itself
  EXPECT_EQ(bones[1].b, (Vec3d{0, 3, 0})); // toward the dropped leaf
}

TEST(Bones, AMisplacedJointIsWhereTheNodeTreePutsIt) {
  Skeleton s = test::chain(3, 3);
  // The node tree is in another place and pose than the bind pose; relative to joint 1, the end is at (2, 1, 0).
  s.joints[1].rest = Affine::fromTranslation({7, 8, 9});
  s.joints[2].rest = Affine::fromTranslation({9, 9, 9});
  s.joints[2].bind = {};
  const auto bones = rig::boneSegments(s, std::vector<int>{0, 1}, std::vector<int>{2});
  ASSERT_EQ(bones.size(), 2U);
  EXPECT_EQ(bones[1].a, (Vec3d{0, 1, 0}));
  EXPECT_EQ(bones[1].b, (Vec3d{2, 2, 0}));
}

TEST(Bones, ATipEndsTheBoneOfALeaf) {
  Skeleton s = test::chain(3, 3);
  s.joints[1].tip = Vec3d{9, 9, 9}; // not a leaf
  s.joints[2].tip = Vec3d{0, 0, 2};
  const auto bones = rig::boneSegments(s, std::vector<int>{0, 1, 2});
  ASSERT_EQ(bones.size(), 3U);
  EXPECT_EQ(bones[1].b, (Vec3d{0, 2, 0}));
  EXPECT_EQ(bones[2].b, (Vec3d{0, 2, 2}));
}

TEST(ClosestOnSegment, EndsMiddleAndNoLength) {
  const Vec3d a{0, 0, 0}, b{2, 0, 0};
  EXPECT_EQ(rig::closestOnSegment({-3, 4, 0}, a, b).parameter, 0);
  EXPECT_EQ(rig::closestOnSegment({-3, 4, 0}, a, b).squared_distance, 25);
  EXPECT_EQ(rig::closestOnSegment({1, 0, 3}, a, b).parameter, 0.5);
  EXPECT_EQ(rig::closestOnSegment({1, 0, 3}, a, b).squared_distance, 9);
  EXPECT_EQ(rig::closestOnSegment({5, 4, 0}, a, b).parameter, 1);
  EXPECT_EQ(rig::closestOnSegment({0, 2, 0}, a, a).parameter, 0);
  EXPECT_EQ(rig::closestOnSegment({0, 2, 0}, a, a).squared_distance, 4);
}

} // namespace
} // namespace skincells

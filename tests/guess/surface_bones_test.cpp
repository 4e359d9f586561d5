#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "guess/surface_bones.h"
#include "support/shapes.h"

namespace skincells::guess {
namespace {

std::vector<rig::BoneSegment> bonesIn(const Mesh& mesh, const Skeleton& skeleton, std::vector<int> deforming = {}) {
  if (deforming.empty()) {
    deforming.resize(skeleton.joints.size());
    std::iota(deforming.begin(), deforming.end(), 0);
  }
  return surfaceBones({skeleton, deforming, {}}, mesh, mesh::RayQuery(mesh));
}

std::vector<rig::BoneSegment> of(const std::vector<rig::BoneSegment>& bones, int joint) {
  std::vector<rig::BoneSegment> own;
  for (const auto& b : bones)
    if (b.joint == joint) own.push_back(b);
  return own;
}

const Mesh kTrunk = test::tube(170, 15, 60, 24); // along +y, at mesh::kCharacterSize

TEST(SurfaceBones, LeafGetsAStubTowardTheSurfaceBeyondIt) {
  Skeleton skeleton;
  test::addJoint(skeleton, "a", kNoParent, {0, 50, 0});
  test::addJoint(skeleton, "b", 0, {0, 90, 0});
  const auto leaf = of(bonesIn(kTrunk, skeleton), 1);
  ASSERT_EQ(leaf.size(), 1U);
  EXPECT_NEAR(leaf[0].b.y, 90 + 0.6 * 80, 4);
  EXPECT_NEAR(leaf[0].b.x, 0, 1);
}

// Joints whose x axis points along their bone; the one of the leaf points to +x, across the trunk.
Skeleton turnedLeaf() {
  Skeleton skeleton;
  test::addJoint(skeleton, "a", kNoParent, {0, 10, 0});
  test::addJoint(skeleton, "b", 0, {0, 60, 0});
  test::addJoint(skeleton, "c", 1, {0, 90, 0});
  for (int j : {0, 1}) { // x to y, y to -x
    auto& m = skeleton.joints[j].bind.m;
    m[0][0] = m[1][1] = 0;
    m[1][0] = 1;
    m[0][1] = -1;
  }
  return skeleton;
}

TEST(SurfaceBones, LeafFollowsTheAxisOfItsJoint) {
  const auto leaf = of(bonesIn(test::tube(170, 60, 60, 24), turnedLeaf()), 2);
  ASSERT_EQ(leaf.size(), 1U);
  EXPECT_NEAR(leaf[0].b.y, 90, 1e-9);
  EXPECT_NEAR(leaf[0].b.x, 0.6 * 60, 2); // most of the way to the surface, farther than the bone before it
}

TEST(SurfaceBones, AxisThatLeavesTheMeshIsNotFollowed) {
  // The bone before the leaf is 30 long, the trunk only 8 wide.
  const auto leaf = of(bonesIn(test::tube(170, 8, 60, 24), turnedLeaf()), 2);
  ASSERT_EQ(leaf.size(), 1U);
  EXPECT_NEAR(leaf[0].b.x, 0, 1);
  EXPECT_GT(leaf[0].b.y, 120);
}

TEST(SurfaceBones, AxisBoneEndsAtAJointAhead) {
  Skeleton skeleton = turnedLeaf();
  test::addJoint(skeleton, "ahead", kNoParent, {20, 90, 0});
  const auto leaf = of(bonesIn(test::tube(170, 60, 60, 24), skeleton), 2);
  ASSERT_EQ(leaf.size(), 1U);
  EXPECT_NEAR(leaf[0].b.x, 20, 1e-9);
}

TEST(SurfaceBones, TipEndsTheBoneInsideTheMeshOnly) {
  Skeleton skeleton;
  test::addJoint(skeleton, "a", kNoParent, {0, 50, 0});
  test::addJoint(skeleton, "b", 0, {0, 90, 0});
  skeleton.joints[1].tip = Vec3d{0, 20, 0};
  EXPECT_EQ(of(bonesIn(kTrunk, skeleton), 1).at(0).b, (Vec3d{0, 110, 0}));
  skeleton.joints[1].tip = Vec3d{80, 0, 0};
  EXPECT_NEAR(of(bonesIn(kTrunk, skeleton), 1).at(0).b.x, 0, 1);
  EXPECT_GT(of(bonesIn(kTrunk, skeleton), 1).at(0).b.y, 110);
}

// The chest of a rig from Blender: its bone runs along +y to the neck.
TEST(SurfaceBones, ChildFarBesideTheBoneGetsNone) {
  Skeleton skeleton;
  test::addJoint(skeleton, "hips", kNoParent, {0, 40, 0});
  test::addJoint(skeleton, "chest", 0, {0, 90, 0});
  test::addJoint(skeleton, "neck", 1, {0, 110, 0});
  test::addJoint(skeleton, "head", 2, {0, 130, 0});
  test::addJoint(skeleton, "shoulder", 1, {15, 100, 0});
  test::addJoint(skeleton, "control", 1, {60, 100, 0});
  const auto chest = of(bonesIn(kTrunk, skeleton), 1);
  ASSERT_EQ(chest.size(), 2U);
  EXPECT_EQ(chest[0].b, (Vec3d{0, 110, 0}));
  EXPECT_EQ(chest[1].b, (Vec3d{15, 100, 0}));
  // In a rig whose bones run along another axis, nothing is known about the bone of a joint with several children.
  for (Joint& j : skeleton.joints) std::swap(j.bind.m[0][0], j.bind.m[0][1]), std::swap(j.bind.m[1][0], j.bind.m[1][1]);
  EXPECT_EQ(of(bonesIn(kTrunk, skeleton), 1).size(), 3U);
}

TEST(SurfaceBones, SideBoneThatRunsBackwardsBelongsToTheParent) {
  // As in Biped: the thighs are parented to the spine but are beside the pelvis.
  Skeleton skeleton;
  test::addJoint(skeleton, "pelvis", kNoParent, {0, 60, 0});
  test::addJoint(skeleton, "spine", 0, {0, 80, 0});
  test::addJoint(skeleton, "chest", 1, {0, 120, 0});
  test::addJoint(skeleton, "thigh", 1, {8, 61, 0});
  test::addJoint(skeleton, "head", 2, {0, 160, 0});
  const auto bones = bonesIn(kTrunk, skeleton);
  EXPECT_EQ(of(bones, 1).size(), 1U);
  const auto pelvis = of(bones, 0);
  ASSERT_EQ(pelvis.size(), 2U);
  EXPECT_NEAR(pelvis[1].a.y, 61, 1e-9);
  EXPECT_EQ(pelvis[1].b, (Vec3d{8, 61, 0}));
}

TEST(SurfaceBones, CutChainIsBridged) {
  // The foot hangs under the root, the shin above it is a leaf.
  Skeleton skeleton;
  test::addJoint(skeleton, "root", kNoParent, {100, 0, 0});
  test::addJoint(skeleton, "thigh", 0, {0, 150, 0});
  test::addJoint(skeleton, "shin", 1, {0, 90, 0});
  test::addJoint(skeleton, "foot", 0, {0, 40, 0});
  const auto shin = of(bonesIn(kTrunk, skeleton, {1, 2, 3}), 2);
  ASSERT_EQ(shin.size(), 1U);
  EXPECT_EQ(shin[0].b, (Vec3d{0, 40, 0}));
}

TEST(SurfaceBones, ChainThatStartsFartherThanTheBoneBeforeIsNotBridged) {
  Skeleton skeleton;
  test::addJoint(skeleton, "root", kNoParent, {100, 0, 0});
  test::addJoint(skeleton, "thigh", 0, {0, 150, 0});
  test::addJoint(skeleton, "shin", 1, {0, 110, 0});
  test::addJoint(skeleton, "other", 0, {0, 20, 0});
  const auto shin = of(bonesIn(kTrunk, skeleton, {1, 2, 3}), 2);
  ASSERT_EQ(shin.size(), 1U);
  EXPECT_GT(shin[0].b.y, 25);
}

// Joints 0 and 1 in kTrunk.
Skeleton neckAndHead() {
  Skeleton skeleton;
  test::addJoint(skeleton, "neck", kNoParent, {0, 80, 0});
  test::addJoint(skeleton, "head", 0, {0, 120, 0});
  return skeleton;
}

TEST(SurfaceBones, HeadWithAFaceGetsABoneOfItsOwn) {
  Skeleton skeleton = neckAndHead();
  test::addJoint(skeleton, "jaw", 1, {0, 121, 10});
  test::addJoint(skeleton, "marker", 1, {5, 122, 10});
  const auto bones = bonesIn(kTrunk, skeleton);
  const auto head = of(bones, 1);
  EXPECT_TRUE(std::ranges::any_of(head, [](const rig::BoneSegment& b) { return b.b.y > 145; }));
  for (int face : {2, 3}) EXPECT_EQ(of(bones, face)[0].a, of(bones, face)[0].b);
}

TEST(SurfaceBones, EveryJointKeepsASegment) {
  const Skeleton skeleton = test::chain(5, 0);
  const auto bones = bonesIn(test::grid(2, 2), skeleton);
  for (int j = 0; j < 5; ++j) EXPECT_FALSE(of(bones, j).empty());
}

} // namespace
} // namespace skincells::guess

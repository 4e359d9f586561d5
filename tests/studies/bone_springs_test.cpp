#include "studies/bone_springs.h"

#include <gtest/gtest.h>

#include "support/shapes.h"

namespace skincells::studies {
namespace {

TEST(SpringsToNearestBones, MeetTheirBoneAtARightAngle) {
  const Character c = test::tubeCharacter(4);
  const auto bones = rig::boneSegments(c.skeleton, std::vector<int>{0, 1, 2, 3});
  const auto springs = springsToNearestBones(c.mesh, bones);
  ASSERT_GT(springs.size(), c.mesh.positions.size() / 2);
  EXPECT_LT(springs.size(), c.mesh.positions.size()); // beyond the last joint there is only an end to go to
  for (std::size_t i = 0; i < springs.size(); ++i) {
    const rig::BoneSpring& s = springs[i];
    if (i > 0) {
      EXPECT_GT(s.vertex, springs[i - 1].vertex);
    }
    const Vec3d p = toDouble(c.mesh.positions[s.vertex]);
    EXPECT_NEAR(s.anchor.x, 0, 1e-9);
    EXPECT_NEAR(s.anchor.y, p.y, 1e-6);
    const double below = c.skeleton.bindPosition(s.joint).y, above = c.skeleton.bindPosition(s.joint + 1).y;
    EXPECT_TRUE(s.anchor.y > below && s.anchor.y < above) << s.anchor.y;
  }
}

TEST(SpringsToNearestBones, DoNotCrossTheMesh) {
  // A second, wider tube around the first: its vertices see nothing but the first one.
  const Character c = test::tubeCharacter(4);
  const Mesh wide = test::tube(4, 2, 9, 16);
  const Mesh both = test::joined(c.mesh, wide);
  const auto springs = springsToNearestBones(both, rig::boneSegments(c.skeleton, std::vector<int>{0, 1, 2, 3}));
  EXPECT_FALSE(springs.empty());
  for (const rig::BoneSpring& s : springs) EXPECT_LT(s.vertex, c.mesh.positions.size());
}

TEST(SpringsToNearestBones, NothingToMeet) {
  const Mesh mesh = test::tube(4, 1, 5, 8);
  EXPECT_TRUE(springsToNearestBones(mesh, std::vector<rig::BoneSegment>{{0, {0, 1, 0}, {0, 1, 0}}}).empty());
  EXPECT_TRUE(springsToNearestBones(Mesh{}, std::vector<rig::BoneSegment>{{0, {0, 0, 0}, {0, 1, 0}}}).empty());
}

} // namespace
} // namespace skincells::studies

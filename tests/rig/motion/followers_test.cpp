#include "rig/motion/followers.h"

#include <gtest/gtest.h>

#include "rig/motion/joint_motions.h"
#include "support/shapes.h"

namespace skincells::rig {
namespace {

// A body with two legs that end at the shin; the feet hang on the root, as IK targets do.
Skeleton withIkFeet(bool own_roots) {
  Skeleton s;
  test::addJoint(s, "Root", kNoParent, {0, 0, 0});
  test::addJoint(s, "Hips", 0, {0, 1, 0});
  for (const auto& [side, x] : {std::pair{".L", 0.2}, std::pair{".R", -0.2}}) {
    test::addJoint(s, std::string("Thigh") + side, 1, {x, 0.9, 0});
    test::addJoint(s, std::string("Shin") + side, s.jointCount() - 1, {x, 0.5, 0});
  }
  for (const auto& [side, x] : {std::pair{".L", 0.2}, std::pair{".R", -0.2}}) {
    test::addJoint(s, std::string(own_roots ? "Target" : "Foot") + side, own_roots ? kNoParent : 0, {x, 0.1, 0});
    test::addJoint(s, std::string("Toe") + side, s.jointCount() - 1, {x, 0, 0.2});
  }
  return s;
}

TEST(Followers, DetachedFeetFollowTheirShins) {
  for (const bool own_roots : {false, true}) {
    const Skeleton s = withIkFeet(own_roots);
    const std::vector<Follower> followers = findFollowers(s);
    ASSERT_EQ(followers.size(), 2U);
    for (const Follower& f : followers) {
      const std::string side = s.joints[static_cast<std::size_t>(f.joint)].name.substr(own_roots ? 6 : 4);
      EXPECT_EQ(s.joints[static_cast<std::size_t>(f.leader)].name, "Shin" + side);
    }
    EXPECT_NE(describeFollowers(s).find("2 detached joints follow their limbs"), std::string::npos);
  }
}

TEST(Followers, ARandomPoseKeepsTheFootAtTheShin) {
  const Skeleton s = withIkFeet(false);
  const auto motions = jointMotions(s, {}, "generic");
  const int shin = s.find("Shin.L"), foot = s.find("Foot.L");
  const Vec3d ankle = s.bindPosition(foot);
  for (const Pose& pose : posesWithin(s, *motions, 8, 0))
    EXPECT_LT(
        length(pose[static_cast<std::size_t>(shin)].apply(ankle) - pose[static_cast<std::size_t>(foot)].apply(ankle)),
        1e-9);
}

TEST(Followers, JointsInTheirPlaceStay) {
  EXPECT_TRUE(findFollowers(test::chain(5, 1)).empty());
  EXPECT_TRUE(findFollowers({}).empty());
  Skeleton one;
  test::addJoint(one, "Foot", kNoParent, {});
  EXPECT_TRUE(findFollowers(one).empty());
  EXPECT_EQ(describeFollowers(one), "");
  // A thigh below the hips is in its place although a hand is near.
  Skeleton s;
  test::addJoint(s, "Hips", kNoParent, {0, 1, 0});
  test::addJoint(s, "Thigh.L", 0, {0.1, 0.9, 0});
  test::addJoint(s, "Arm.L", 0, {0.3, 1.4, 0});
  test::addJoint(s, "Hand.L", 2, {0.3, 0.9, 0});
  EXPECT_TRUE(findFollowers(s).empty());
}

// Characters that share a file do not follow each other.
TEST(Followers, OtherSkeletonsAreLeftAlone) {
  Skeleton s = test::chain(3, 1);
  test::addJoint(s, "Other", kNoParent, {5, 0, 0});
  s.joints.back().skeleton = 1;
  EXPECT_TRUE(findFollowers(s).empty());
}

} // namespace
} // namespace skincells::rig

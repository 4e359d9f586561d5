#include <gtest/gtest.h>

#include <cmath>

#include "rig/motion/clip_ranges.h"
#include "rig/motion/pose_sampler.h"
#include "support/shapes.h"

namespace skincells::rig {
namespace {

constexpr double kRadians = M_PI / 180;

Pose turned(const Skeleton& s, std::size_t joint, const Affine& turn) {
  std::vector<Affine> turns(s.joints.size());
  turns[joint] = turn;
  return poseFromTurns(s, turns);
}

TEST(ClipRanges, AHingeKeepsItsAxisAndBothEnds) {
  const Skeleton s = test::chain(3, 3);
  std::vector<Pose> poses;
  for (double angle : {-10.0, 0.0, 40.0, 90.0})
    poses.push_back(turned(s, 1, Affine::rotation({0, 0, 1}, angle * kRadians)));
  const auto ranges = rangesOfPoses(s, poses);
  ASSERT_TRUE(ranges[1].has_value());
  EXPECT_NEAR(length(ranges[1]->axis - Vec3d{0, 0, 1}), 0, 1e-9);
  EXPECT_NEAR(ranges[1]->swing.lo, -10, 1e-6);
  EXPECT_NEAR(ranges[1]->swing.hi, 90, 1e-6);
  EXPECT_NEAR(ranges[1]->twist.hi, 0, 1e-6);
}

TEST(ClipRanges, ABallJointSwingsUpToItsWidestAngle) {
  const Skeleton s = test::chain(3, 3);
  const std::vector<Pose> poses{turned(s, 0, Affine::rotation({0, 0, 1}, 50 * kRadians)),
                                turned(s, 0, Affine::rotation({1, 0, 0}, 30 * kRadians)),
                                turned(s, 0, Affine::rotation({0, 1, 0}, -20 * kRadians))}; // about its bone
  const auto ranges = rangesOfPoses(s, poses);
  ASSERT_TRUE(ranges[0].has_value());
  EXPECT_FALSE(ranges[0]->isHinge());
  EXPECT_EQ(ranges[0]->swing.lo, 0);
  EXPECT_NEAR(ranges[0]->swing.hi, 50, 1e-6);
  EXPECT_NEAR(ranges[0]->twist.lo, -20, 1e-6);
  EXPECT_NEAR(ranges[0]->twist.hi, 0, 1e-6);
}

TEST(ClipRanges, JointsThatDoNotMoveHaveNoRange) {
  const Skeleton s = test::chain(3, 3);
  // Joint 1 is rotated from its bind pose by a constant angle; joint 2 hardly moves.
  std::vector<Pose> poses;
  for (double tremble : {0.0, 1.0, 2.0}) {
    std::vector<Affine> turns(3);
    turns[1] = Affine::rotation({0, 0, 1}, 60 * kRadians);
    turns[2] = Affine::rotation({1, 0, 0}, tremble * kRadians);
    poses.push_back(poseFromTurns(s, turns));
  }
  for (const auto& range : rangesOfPoses(s, poses)) EXPECT_FALSE(range.has_value());
  for (const auto& range : rangesOfPoses(s, {})) EXPECT_FALSE(range.has_value());
}

TEST(ClipRanges, PosesDrawnFromARangeAreInTheMeasuredRange) {
  const Skeleton s = test::chain(4, 4);
  const std::vector<JointRange> drawn(4, JointRange{{0, 60}, {-40, 10}, {}});
  const PoseSampler sampler(s, drawn, 2);
  std::vector<Pose> poses;
  for (std::uint64_t i = 0; i < 300; ++i) poses.push_back(sampler.pose(i));
  for (const auto& range : rangesOfPoses(s, poses)) {
    ASSERT_TRUE(range.has_value());
    EXPECT_NEAR(range->swing.hi, 60, 2);
    EXPECT_NEAR(range->twist.lo, -40, 2);
    EXPECT_NEAR(range->twist.hi, 10, 2);
  }
}

TEST(ClipRanges, InvalidPosesAreIgnored) {
  const Skeleton s = test::chain(2, 2);
  Pose broken = bindPose(s);
  broken[0].m[1][1] = NAN;
  const std::vector<Pose> poses{bindPose(s), broken, turned(s, 0, Affine::rotation({1, 0, 0}, 45 * kRadians))};
  const auto ranges = rangesOfPoses(s, poses);
  ASSERT_TRUE(ranges[0].has_value());
  EXPECT_NEAR(ranges[0]->swing.hi, 45, 1e-6);
}

} // namespace
} // namespace skincells::rig

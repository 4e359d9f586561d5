#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "rig/motion/pose_sampler.h"
#include "rig/motion/swing_twist.h"
#include "support/shapes.h"

namespace skincells::rig {
namespace {

constexpr double kDegrees = 180 / M_PI;

TEST(PoseSampler, PosesDependOnlyOnIndexAndSeed) {
  const Skeleton s = test::chain(3, 3);
  const std::vector<JointRange> ranges(3);
  const PoseSampler a(s, ranges, 5), b(s, ranges, 5), c(s, ranges, 6);
  static_cast<void>(b.pose(9));
  EXPECT_EQ(a.pose(4), b.pose(4));
  EXPECT_NE(a.pose(4), a.pose(5));
  EXPECT_NE(a.pose(4), c.pose(4));
}

TEST(PoseSampler, TwistDoesNotMoveTheBone) {
  const Skeleton s = test::chain(2, 2); // the root's bone runs along +y
  const PoseSampler sampler(s, {{.swing = {0, 0}, .twist = {-90, 90}}, {.swing = {0, 0}, .twist = {0, 0}}}, 3);
  for (std::uint64_t i = 0; i < 20; ++i)
    EXPECT_NEAR(length(sampler.pose(i)[0].apply({0, 1, 0}) - Vec3d{0, 1, 0}), 0, 1e-12);
}

AngleInterval randomInterval(Random& random, double least, double most) {
  const double a = random.uniform(least, most), b = random.uniform(least, most);
  return {std::min(a, b), std::max(a, b)};
}

// For random ranges and skeletons, the rotations of a drawn pose are within the ranges.
TEST(PoseSampler, StaysWithinEveryRange) {
  Random random(7);
  for (int round = 0; round < 40; ++round) {
    Skeleton s;
    std::vector<JointRange> ranges;
    for (int j = 0; j < 6; ++j) {
      test::addJoint(s, "joint", j - 1, random.direction() * (j + 1.0));
      ranges.push_back({randomInterval(random, 0, 170), randomInterval(random, -170, 170), {}});
    }
    const std::vector<Vec3d> bones = boneDirections(s);
    // One of them is a hinge, perpendicular to its bone.
    ranges[2].axis = normalized(cross(bones[2], random.direction()));
    ranges[2].swing = randomInterval(random, -170, 170);
    const PoseSampler sampler(s, ranges, static_cast<std::uint64_t>(round));
    for (std::uint64_t i = 0; i < 25; ++i) {
      const auto turns = turnsOf(s, sampler.pose(i));
      for (std::size_t j = 0; j < ranges.size(); ++j) {
        ASSERT_TRUE(turns[j].has_value());
        const SwingTwist t = splitTurn(*turns[j], bones[j]);
        const double swing = (ranges[j].isHinge() ? dot(t.swing, ranges[j].axis) : length(t.swing)) * kDegrees;
        EXPECT_GE(swing, ranges[j].swing.lo - 1e-6);
        EXPECT_LE(swing, ranges[j].swing.hi + 1e-6);
        EXPECT_GE(t.twist * kDegrees, ranges[j].twist.lo - 1e-6);
        EXPECT_LE(t.twist * kDegrees, ranges[j].twist.hi + 1e-6);
      }
    }
  }
}

TEST(PoseSampler, UsesTheWholeRange) {
  const Skeleton s = test::chain(2, 2);
  const PoseSampler sampler(s, {{.swing = {-20, 80}, .twist = {0, 0}, .axis = {1, 0, 0}}, {}}, 1);
  double least = 0, most = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Vec3d swing = splitTurn(*turnsOf(s, sampler.pose(i))[0], {0, 1, 0}).swing * kDegrees;
    EXPECT_NEAR(length(Vec3d{0, swing.y, swing.z}), 0, 1e-6) << "off the hinge";
    least = std::min(least, swing.x);
    most = std::max(most, swing.x);
  }
  EXPECT_LT(least, -15);
  EXPECT_GT(most, 75);
}

TEST(SplitTurn, InvertsTheComposition) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Vec3d bone = random.direction(), axis = normalized(cross(bone, random.direction()));
    const double swing = random.uniform(0, 3.1), twist = random.uniform(-3.1, 3.1);
    const SwingTwist t = splitTurn(Affine::rotation(axis, swing) * Affine::rotation(bone, twist), bone);
    EXPECT_NEAR(length(t.swing - axis * swing), 0, 1e-7);
    EXPECT_NEAR(t.twist, twist, 1e-7);
  }
}

TEST(SplitTurn, WithoutABoneTheWholeRotationIsSwing) {
  for (double angle : {0.0, 0.4, 3.0, M_PI}) {
    const SwingTwist t = splitTurn(Affine::rotation({0, 0, 2}, angle), {});
    EXPECT_NEAR(std::fabs(t.swing.z), angle, 1e-7);
    EXPECT_EQ(t.twist, 0);
  }
}

TEST(TurnsOf, IgnoresMapsThatAreNoRotations) {
  const Skeleton s = test::chain(4, 4);
  Pose pose = bindPose(s);
  pose[1].m[0][0] = -1;  // mirrored
  pose[2].m[2][2] = 0;   // singular
  pose[3].m[0][0] = NAN; // not finite
  const auto turns = turnsOf(s, pose);
  EXPECT_TRUE(turns[0].has_value());
  for (std::size_t j = 1; j < 4; ++j) EXPECT_FALSE(turns[j].has_value()) << j;
}

} // namespace
} // namespace skincells::rig

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rig/pose_sampler.h"
#include "support/shapes.h"

namespace skincells::rig {
namespace {

double angleOf(const Affine& a) {
  return std::acos(std::clamp((a.m[0][0] + a.m[1][1] + a.m[2][2] - 1) / 2, -1.0, 1.0)) * 180 / M_PI;
}

TEST(PoseSampler, PosesDependOnIndexAndSeedAlone) {
  const Skeleton s = test::chain(3, 3);
  const std::vector<JointRange> ranges(3);
  const PoseSampler a(s, ranges, 5), b(s, ranges, 5), c(s, ranges, 6);
  static_cast<void>(b.pose(9));
  EXPECT_EQ(a.pose(4), b.pose(4));
  EXPECT_NE(a.pose(4), a.pose(5));
  EXPECT_NE(a.pose(4), c.pose(4));
}

TEST(PoseSampler, StaysWithinTheRange) {
  const Skeleton s = test::chain(1, 1);
  double widest = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Pose pose = PoseSampler(s, {{.swing = 30, .twist = 0}}, 1).pose(i);
    widest = std::max(widest, angleOf(pose[0]));
  }
  EXPECT_LE(widest, 30 + 1e-9);
  EXPECT_GT(widest, 25);
}

TEST(PoseSampler, TwistKeepsTheBoneWhereItIs) {
  const Skeleton s = test::chain(2, 2); // the root's bone runs along +y
  const PoseSampler sampler(s, {{.swing = 0, .twist = 90}, {.swing = 0, .twist = 0}}, 3);
  for (std::uint64_t i = 0; i < 20; ++i)
    EXPECT_NEAR(length(sampler.pose(i)[0].apply({0, 1, 0}) - Vec3d{0, 1, 0}), 0, 1e-12);
}

} // namespace
} // namespace skincells::rig

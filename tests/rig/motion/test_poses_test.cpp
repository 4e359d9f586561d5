#include "rig/motion/test_poses.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rig/motion/joint_motions.h"
#include "support/shapes.h"

namespace skincells::rig {
namespace {

const Orientation kUpright{{0, 1, 0}, {0, 0, 1}, true};

// A human in T-pose, with two fingers on each hand.
Skeleton human() {
  Skeleton s;
  const auto add = [&](const std::string& name, const std::string& parent, const Vec3d& at) {
    test::addJoint(s, name, parent.empty() ? kNoParent : s.find(parent), at);
  };
  add("hips", "", {0, 1, 0});
  add("spine", "hips", {0, 1.2, 0});
  add("chest", "spine", {0, 1.4, 0});
  add("neck", "chest", {0, 1.6, 0});
  add("head", "neck", {0, 1.7, 0});
  for (const double x : {1.0, -1.0}) {
    const std::string side = x > 0 ? ".L" : ".R";
    const auto n = [&](const char* name) { return name + side; };
    add(n("shoulder"), "chest", {0.05 * x, 1.5, 0});
    add(n("upper_arm"), n("shoulder"), {0.2 * x, 1.5, 0});
    add(n("forearm"), n("upper_arm"), {0.5 * x, 1.5, 0});
    add(n("hand"), n("forearm"), {0.8 * x, 1.5, 0});
    for (const auto& [finger, z] : {std::pair{"f_index", 0.03}, std::pair{"f_pinky", -0.03}})
      for (int i = 1; i <= 3; ++i)
        add(std::string(finger) + ".0" + std::to_string(i) + side, i == 1 ? n("hand") : s.joints.back().name,
            {(0.85 + 0.03 * i) * x, 1.5, z});
    add(n("thigh"), "hips", {0.1 * x, 0.95, 0});
    add(n("shin"), n("thigh"), {0.1 * x, 0.5, 0});
    add(n("foot"), n("shin"), {0.1 * x, 0.1, 0});
  }
  return s;
}

std::vector<TestPose> posesOf(const Skeleton& s) {
  return testPoses(s, *jointMotions(s, {}, "auto"), kUpright);
}
Vec3d posed(const Skeleton& s, const TestPose& pose, const std::string& joint) {
  const int j = s.find(joint);
  return pose.pose[static_cast<std::size_t>(j)].apply(s.bindPosition(j));
}

TEST(TestPoses, HumansTakeThePosesThatTheirNamesSay) {
  const Skeleton s = human();
  const std::vector<TestPose> poses = posesOf(s);
  std::vector<std::string> names;
  for (const TestPose& p : poses) names.push_back(p.name);
  ASSERT_EQ(names, (std::vector<std::string>{"arms up", "elbows bent", "knees bent", "trunk twisted", "squat", "fists",
                                             "head turned", "head down"}));
  for (const std::string side : {".L", ".R"}) {
    const double sign = side == ".L" ? 1 : -1;
    const Vec3d arm = posed(s, poses[0], "hand" + side) - posed(s, poses[0], "upper_arm" + side);
    EXPECT_GT(arm.y, 0.9 * length(arm));
    EXPECT_GT(arm.x * sign, 0);
    const Vec3d forearm = posed(s, poses[1], "hand" + side) - posed(s, poses[1], "forearm" + side);
    EXPECT_LT(forearm.x * sign, -0.1); // back toward the shoulder
    EXPECT_GT(forearm.z, 0.1);         // in front of the body
    const Vec3d shin = posed(s, poses[2], "foot" + side) - posed(s, poses[2], "shin" + side);
    EXPECT_LT(shin.z, -0.2);
    EXPECT_GT(shin.y, 0.2);
    const Vec3d thigh = posed(s, poses[4], "shin" + side) - posed(s, poses[4], "thigh" + side);
    EXPECT_GT(thigh.z, 0.9 * length(thigh));
    EXPECT_LT(posed(s, poses[4], "foot" + side).y, posed(s, poses[4], "shin" + side).y - 0.3);
    for (const std::string finger : {"f_index.03", "f_pinky.03"}) { // palms face down
      const Vec3d tip = posed(s, poses[5], finger + side) - posed(s, poses[5], "hand" + side);
      EXPECT_LT(tip.y, -0.01);
    }
  }
  const int head = s.find("head"), hand = s.find("hand.L");
  EXPECT_GT(poses[6].pose[static_cast<std::size_t>(head)].applyLinear({0, 0, 1}).x, 0.5); // to its left
  EXPECT_LT(poses[7].pose[static_cast<std::size_t>(head)].applyLinear({0, 0, 1}).y, -0.5);
  EXPECT_TRUE(std::ranges::count(poses[5].focus, hand) == 1 && std::ranges::count(poses[5].focus, head) == 0);
  EXPECT_TRUE(poses[0].focus.empty());
}

TEST(TestPoses, TheOtherAxesMakeNoDifference) {
  const Skeleton s = human();
  Skeleton z_up = s;
  const Affine turn = Affine::rotation({1, 0, 0}, M_PI / 2); // y to z, z to -y
  for (Joint& j : z_up.joints) j.bind = turn * j.bind;
  const auto a = posesOf(s);
  const auto b = testPoses(z_up, *jointMotions(z_up, {}, "auto"), {{0, 0, 1}, {0, -1, 0}, true});
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t p = 0; p < a.size(); ++p)
    for (const Joint& j : s.joints)
      EXPECT_NEAR(length(turn.apply(posed(s, a[p], j.name)) - posed(z_up, b[p], j.name)), 0, 1e-9)
          << a[p].name << " " << j.name;
}

TEST(TestPoses, OthersBendTheirChainsInPairs) {
  Skeleton s;
  test::addJoint(s, "root", kNoParent, {0, 1, 0});
  test::addJoint(s, "body", 0, {0, 1, 0.5});
  for (const auto& [name, x] : {std::pair{"wing_L", 1.0}, std::pair{"wing_R", -1.0}}) {
    test::addJoint(s, std::string(name), 1, {0.2 * x, 1, 0.5});
    test::addJoint(s, std::string(name) + "_tip", s.jointCount() - 1, {1.2 * x, 1, 0.5});
  }
  for (int i = 0; i < 4; ++i)
    test::addJoint(s, "tail" + std::to_string(i), i == 0 ? 1 : s.jointCount() - 1, {0, 1, -0.3 * i});
  const auto poses = posesOf(s);
  ASSERT_EQ(poses.size(), 3U); // wings, tail, one twisted
  EXPECT_EQ(poses[0].name, "both wing bent");
  EXPECT_EQ(poses[1].name, "tail0 bent");
  EXPECT_EQ(poses[2].name, "wing_L twisted");
  EXPECT_GT(posed(s, poses[0], "wing_L_tip").y, 1.2);
  EXPECT_NEAR(posed(s, poses[0], "wing_L_tip").y, posed(s, poses[0], "wing_R_tip").y, 1e-9);
  EXPECT_GT(posed(s, poses[1], "tail3").y, 1.2);
}

TEST(TestPoses, NothingToBend) {
  EXPECT_TRUE(posesOf({}).empty());
  Skeleton one;
  test::addJoint(one, "root", kNoParent, {});
  EXPECT_TRUE(posesOf(one).empty());
}

} // namespace
} // namespace skincells::rig

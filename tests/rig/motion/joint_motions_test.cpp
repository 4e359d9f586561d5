#include "rig/motion/joint_motions.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/files.h"
#include "support/shapes.h"

namespace skincells::rig {
namespace {

// The tube with a walking clip that bends joint 2 only.
Character animatedTube() {
  Character c = test::tubeCharacter(4);
  for (double angle : {-0.4, 0.0, 0.4}) {
    std::vector<Affine> turns(c.skeleton.joints.size());
    turns[2] = Affine::rotation({0, 0, 1}, angle);
    c.clip_poses.push_back(poseFromTurns(c.skeleton, turns));
  }
  return c;
}

TEST(JointMotions, ClipsBeforeOneCone) {
  const Character c = animatedTube();
  const auto motions = jointMotions(c.skeleton, c.clip_poses, "auto");
  ASSERT_TRUE(motions);
  EXPECT_EQ((*motions)[1].source, "generic");
  EXPECT_EQ((*motions)[2].source, "clip");
  EXPECT_NEAR((*motions)[2].range.swing.hi, 0.4 * 180 / std::numbers::pi, 1);
  EXPECT_EQ(describe(*motions), "1 joint as the clips turn them, 3 by the generic cone");
}

// A body whose clip rotates the left knee and the tail.
TEST(JointMotions, NamesBeforeClips) {
  Character c;
  const auto add = [&](const std::string& name, int parent, const Vec3d& at) {
    test::addJoint(c.skeleton, name, parent, at);
    return c.skeleton.jointCount() - 1;
  };
  const int hips = add("Hips", kNoParent, {0, 1, 0}), spine = add("Spine", hips, {0, 1.2, 0});
  add("Head", add("Neck", spine, {0, 1.5, 0}), {0, 1.6, 0});
  int knee = -1;
  for (const auto& [side, x] : {std::pair{"Right", -1.0}, {"Left", 1.0}}) {
    const std::string s = side;
    add(s + "Hand", add(s + "ForeArm", add(s + "Arm", spine, {0.2 * x, 1.4, 0}), {0.5 * x, 1.4, 0}), {0.8 * x, 1.4, 0});
    knee = add(s + "Leg", add(s + "UpLeg", hips, {0.1 * x, 0.9, 0}), {0.1 * x, 0.5, 0});
    add(s + "Foot", knee, {0.1 * x, 0.1, 0});
  }
  const int tail = add("Tail", hips, {0, 1, -0.3}), prop = add("Prop", spine, {0, 1.2, -0.3});
  for (double angle : {-0.3, 0.0, 0.3}) {
    std::vector<Affine> turns(c.skeleton.joints.size());
    turns[static_cast<std::size_t>(knee)] = turns[static_cast<std::size_t>(tail)] = Affine::rotation({1, 0, 0}, angle);
    c.clip_poses.push_back(poseFromTurns(c.skeleton, turns));
  }
  const auto motions = jointMotions(c.skeleton, c.clip_poses, "auto");
  ASSERT_TRUE(motions);
  const auto source = [&](int joint) { return (*motions)[static_cast<std::size_t>(joint)].source; };
  EXPECT_EQ(source(knee), "humanoid");
  EXPECT_EQ(source(tail), "clip");
  EXPECT_EQ(source(prop), "generic");
}

TEST(JointMotions, PosesDependOnIndexAndSeedAlone) {
  const Character c = animatedTube();
  const auto motions = jointMotions(c.skeleton, c.clip_poses, "generic");
  ASSERT_TRUE(motions);
  const auto five = posesWithin(c.skeleton, *motions, 5, 0), two = posesWithin(c.skeleton, *motions, 2, 0);
  EXPECT_EQ(five[1], two[1]);
  EXPECT_FALSE(five[1] == five[2]);
  EXPECT_FALSE(posesWithin(c.skeleton, *motions, 1, 1)[0] == five[0]);
}

JointMotion motionOf(const Character& c, const std::string& rom, const char* joint) {
  const auto motions = jointMotions(c.skeleton, c.clip_poses, rom);
  EXPECT_TRUE(motions) << motions.error().text();
  return (*motions)[static_cast<std::size_t>(c.skeleton.find(joint))];
}

TEST(JointMotions, EachSourceFallsBackOnTheNext) {
  const Character c = test::humanoidWithClips();
  EXPECT_EQ(motionOf(c, "generic", "LeftUpperArm").source, "generic");
  EXPECT_EQ(motionOf(c, "humanoid", "LeftUpperArm").source, "humanoid");
  EXPECT_EQ(motionOf(c, "humanoid", "LeftUpperArm").detail, "left upper arm");
  EXPECT_EQ(motionOf(c, "humanoid", "Tail").source, "generic");
  EXPECT_EQ(motionOf(c, "clips", "LeftUpperArm").source, "clip");
  EXPECT_NEAR(motionOf(c, "clips", "LeftUpperArm").range.swing.hi, 0.6 * 180 / M_PI, 1e-6);
  EXPECT_EQ(motionOf(c, "clips", "RightUpperArm").source, "humanoid");
  EXPECT_EQ(motionOf(c, "clips", "Tail").source, "generic");
  EXPECT_EQ(motionOf(c, "clips", "Tail").range, JointRange{});
}

TEST(JointMotions, ARangeFileComesFirst) {
  const Character c = test::humanoidWithClips();
  const test::TemporaryFolder folder;
  const std::string rom = folder.path("rom.json").string();
  test::writeText(rom, R"({"joints": {"LeftUpperArm": {"swing": 12}}})");
  EXPECT_EQ(motionOf(c, rom, "LeftUpperArm").source, "rom-file");
  EXPECT_EQ(motionOf(c, rom, "LeftUpperArm").range.swing.hi, 12);
  EXPECT_EQ(motionOf(c, rom, "RightUpperArm").source, "generic");
  EXPECT_EQ(motionOf(c, rom, "RightUpperArm").range, JointRange{});
}

} // namespace
} // namespace skincells::rig

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rig/motion/pose_sampler.h"
#include "rig/motion/pose_source.h"
#include "support/files.h"
#include "support/shapes.h"

namespace skincells::binding {
namespace {

// A small body that names can tell, with poses that swing its left arm.
Character human() {
  Character c = test::tubeCharacter(1);
  Skeleton& s = c.skeleton;
  s = {};
  const auto add = [&s](const std::string& name, int parent, const Vec3d& at) {
    test::addJoint(s, name, parent, at);
    return s.jointCount() - 1;
  };
  const int hips = add("Hips", -1, {0, 1, 0}), chest = add("Chest", hips, {0, 1.4, 0});
  for (int side : {1, -1}) {
    const std::string name = side > 0 ? "Left" : "Right";
    add(name + "LowerArm", add(name + "UpperArm", chest, {side * 0.2, 1.5, 0}), {side * 0.5, 1.5, 0});
    add(name + "LowerLeg", add(name + "UpperLeg", hips, {side * 0.1, 1, 0}), {side * 0.1, 0.5, 0});
  }
  add("Tail", hips, {0, 1, -1});
  for (double angle : {0.0, 0.3, 0.6}) {
    std::vector<Affine> turns(s.joints.size());
    turns[static_cast<std::size_t>(s.find("LeftUpperArm"))] = Affine::rotation({0, 0, 1}, angle);
    c.clip_poses.push_back(poseFromTurns(s, turns));
  }
  return c;
}

std::vector<int> allJoints(const Character& c) {
  std::vector<int> joints(c.skeleton.joints.size());
  std::iota(joints.begin(), joints.end(), 0);
  return joints;
}

JointMotion motionOf(const Character& c, const std::string& rom, const char* joint) {
  const auto motions = rig::jointMotions(c, rom);
  EXPECT_TRUE(motions) << motions.error().text();
  return (*motions)[static_cast<std::size_t>(c.skeleton.find(joint))];
}

BindOptions drawn(TrainingPoses poses, std::uint64_t seed = 0) {
  BindOptions options;
  options.poses = poses;
  options.seed = seed;
  return options;
}

TEST(JointMotions, EachSourceFallsBackOnTheNext) {
  const Character c = human();
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
  const Character c = human();
  const test::TemporaryFolder folder;
  const std::string rom = folder.path("rom.json").string();
  test::writeText(rom, R"({"joints": {"LeftUpperArm": {"swing": 12}}})");
  EXPECT_EQ(motionOf(c, rom, "LeftUpperArm").source, "rom-file");
  EXPECT_EQ(motionOf(c, rom, "LeftUpperArm").range.swing.hi, 12);
  const JointMotion other = motionOf(c, rom, "RightUpperArm"), automatic = motionOf(c, "auto", "RightUpperArm");
  EXPECT_EQ(other.source, automatic.source);
  EXPECT_EQ(other.range, automatic.range);
}

TEST(rig::PoseSource, ClipPosesAreThoseOfTheClips) {
  const Character c = human();
  const std::vector<int> deforming{3, 1};
  const auto source = rig::choosePoses(c, deforming, drawn(TrainingPoses::Clips));
  ASSERT_TRUE(source);
  EXPECT_EQ(source->poses, "clips");
  for (const Pose& pose : source->sampler(5, 8)) {
    ASSERT_EQ(pose.size(), 2U);
    EXPECT_TRUE(std::any_of(c.clip_poses.begin(), c.clip_poses.end(),
                            [&](const Pose& p) { return pose[0] == p[3] && pose[1] == p[1]; }));
  }
}

TEST(rig::PoseSource, RangesAreDrawnFrom) {
  const Character c = human();
  BindOptions options = drawn(TrainingPoses::Ranges, 4);
  options.rom = "generic";
  const auto source = rig::choosePoses(c, allJoints(c), options);
  ASSERT_TRUE(source);
  EXPECT_EQ(source->poses, "ranges");
  const rig::PoseSampler sampler(c.skeleton, std::vector<JointRange>(c.skeleton.joints.size()), 4);
  EXPECT_EQ(source->sampler(2, 3), (std::vector<Pose>{sampler.pose(128), sampler.pose(129), sampler.pose(130)}));
}

TEST(rig::PoseSource, TheSameStepGivesTheSamePoses) {
  const Character c = human();
  for (TrainingPoses poses : {TrainingPoses::Auto, TrainingPoses::Ranges, TrainingPoses::Clips}) {
    const auto a = rig::choosePoses(c, allJoints(c), drawn(poses, 1));
    const auto b = rig::choosePoses(c, allJoints(c), drawn(poses, 1));
    ASSERT_TRUE(a && b);
    static_cast<void>(b->sampler(3, 2));
    EXPECT_EQ(a->sampler(7, 4), b->sampler(7, 4));
  }
}

TEST(rig::PoseSource, ClipsMustBeThereAndFit) {
  Character c = human();
  c.clip_poses[1].pop_back();
  const auto unfit = rig::choosePoses(c, allJoints(c), {});
  ASSERT_FALSE(unfit);
  EXPECT_EQ(unfit.error().code, ErrorCode::Mismatch);
  c.clip_poses.clear();
  EXPECT_TRUE(rig::choosePoses(c, allJoints(c), {}));
  const auto none = rig::choosePoses(c, allJoints(c), drawn(TrainingPoses::Clips));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::InvalidOption);
  EXPECT_EQ(none.error().where, "--poses");
}

} // namespace
} // namespace skincells::binding

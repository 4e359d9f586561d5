#include "rig/motion/shown_motion.h"

#include <gtest/gtest.h>

#include "support/shapes.h"

namespace skincells::report {
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

TEST(ShownMotion, ClipsBeforeOneCone) {
  const Character c = animatedTube();
  const auto motions = rig::shownMotions(c, std::string("auto"));
  ASSERT_TRUE(motions);
  EXPECT_EQ((*motions)[1].source, "generic");
  EXPECT_EQ((*motions)[2].source, "clip");
  EXPECT_NEAR((*motions)[2].range.swing.hi, 0.4 * 180 / 3.14159265, 1);
  EXPECT_EQ(page::describe(*motions), "1 joint as the clips turn them, 3 by the same angle every way");
}

// A body whose clip turns the left knee and the tail.
TEST(ShownMotion, NamesBeforeClips) {
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
  const auto motions = rig::shownMotions(c, std::string("auto"));
  ASSERT_TRUE(motions);
  const auto source = [&](int joint) { return (*motions)[static_cast<std::size_t>(joint)].source; };
  EXPECT_EQ(source(knee), "humanoid");
  EXPECT_EQ(source(tail), "clip");
  EXPECT_EQ(source(prop), "generic");
}

TEST(ShownMotion, OfABindThoseThatItUsed) {
  const Character c = animatedTube();
  BindReport report;
  EXPECT_EQ(rig::shownMotions(c, report)[2].source, "clip") << "it used none";
  report.motions.resize(4);
  report.motions[2].source = "rom-file";
  EXPECT_EQ(rig::shownMotions(c, report)[2].source, "rom-file");
}

TEST(ShownMotion, PosesDependOnIndexAndSeedAlone) {
  const Character c = animatedTube();
  const auto motions = rig::shownMotions(c, std::string("generic"));
  ASSERT_TRUE(motions);
  const auto five = rig::posesWithin(c.skeleton, *motions, 5, 0), two = rig::posesWithin(c.skeleton, *motions, 2, 0);
  EXPECT_EQ(five[1], two[1]);
  EXPECT_FALSE(five[1] == five[2]);
  EXPECT_FALSE(rig::posesWithin(c.skeleton, *motions, 1, 1)[0] == five[0]);
}

} // namespace
} // namespace skincells::report

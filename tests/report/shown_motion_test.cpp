#include "report/shown_motion.h"

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

TEST(ShownMotion, NamesBeforeClipsBeforeOneCone) {
  Character c = animatedTube();
  const auto motions = shownMotions(c, std::string("auto"));
  ASSERT_TRUE(motions);
  EXPECT_EQ((*motions)[1].source, "generic");
  EXPECT_EQ((*motions)[2].source, "clip");
  EXPECT_NEAR((*motions)[2].range.swing.hi, 0.4 * 180 / 3.14159265, 1);
  EXPECT_EQ(describe(*motions), "1 joint as the clips turn them, 3 within one cone");
  c.skeleton.joints[0].name = "Hips";
  c.skeleton.joints[1].name = "LeftUpLeg";
  c.skeleton.joints[2].name = "LeftLeg";
  c.skeleton.joints[3].name = "LeftFoot";
  const auto named = shownMotions(c, std::string("auto"));
  ASSERT_TRUE(named);
  EXPECT_EQ((*named)[2].source, "humanoid");
}

TEST(ShownMotion, OfABindThoseThatItUsed) {
  const Character c = animatedTube();
  BindReport report;
  EXPECT_EQ(shownMotions(c, report)[2].source, "clip") << "it used none";
  report.motions.resize(4);
  report.motions[2].source = "rom-file";
  EXPECT_EQ(shownMotions(c, report)[2].source, "rom-file");
}

TEST(ShownMotion, PosesDependOnIndexAndSeedAlone) {
  const Character c = animatedTube();
  const auto motions = shownMotions(c, std::string("generic"));
  ASSERT_TRUE(motions);
  const auto five = posesWithin(c.skeleton, *motions, 5, 0), two = posesWithin(c.skeleton, *motions, 2, 0);
  EXPECT_EQ(five[1], two[1]);
  EXPECT_FALSE(five[1] == five[2]);
  EXPECT_FALSE(posesWithin(c.skeleton, *motions, 1, 1)[0] == five[0]);
}

} // namespace
} // namespace skincells::report

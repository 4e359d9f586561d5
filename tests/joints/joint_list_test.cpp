#include <gtest/gtest.h>

#include "joints/joint_list.h"
#include "skincells/bind.h"
#include "support/files.h"
#include "support/shapes.h"

namespace skincells::joints {
namespace {

Skeleton named(const std::vector<std::string>& names) {
  Skeleton s = test::chain(static_cast<int>(names.size()), 1);
  for (std::size_t j = 0; j < names.size(); ++j) s.joints[j].name = names[j];
  return s;
}

std::string kept(const Skeleton& s, std::string_view text) {
  const auto decisions = chooseByList(s, text, "list");
  if (!decisions) return decisions.error().text();
  std::string names;
  for (const JointDecision& d : *decisions)
    if (d.deforms) names += s.joints[static_cast<std::size_t>(d.joint)].name + " ";
  return names;
}

TEST(JointList, KeepsAndDropsInOrder) {
  const Skeleton s = named({"Hips", "Leg_L", "Leg_R", "Leg_IK", "-odd"});
  EXPECT_EQ(kept(s, "Hips\n"), "Hips ");
  EXPECT_EQ(kept(s, "\xEF\xBB\xBF# body\r\n\r\n  Leg_*  \r\n-*_IK\r\n"), "Leg_L Leg_R ");
  EXPECT_EQ(kept(s, "-*_IK"), "Hips Leg_L Leg_R -odd ");
  EXPECT_EQ(kept(s, "-*\n+-odd"), "-odd ");
  EXPECT_EQ(kept(s, "*\n-Leg_?\nLeg_L"), "Hips Leg_L Leg_IK -odd ");
}

TEST(JointList, ErrorsNameTheLine) {
  const Skeleton s = named({"Hips", "Leg"});
  EXPECT_EQ(kept(s, "Hips\n\n-Toe*\n").find("list, line 3: 'Toe*' matches no joint"), 0U);
  EXPECT_NE(kept(s, "# nothing\n").find("empty"), std::string::npos);
  EXPECT_NE(kept(s, "-").find("line 1"), std::string::npos);
}

TEST(JointList, MissingFileFolderAndRealFile) {
  Character c = test::tubeCharacter(2);
  const test::TemporaryFolder folder;
  EXPECT_EQ(chooseJoints(c, folder.path("none.txt")).error().code, ErrorCode::FileNotFound);
  EXPECT_EQ(chooseJoints(c, folder.path("")).error().code, ErrorCode::FileNotFound);
  test::writeText(folder.path("list.txt"), "joint1\n");
  const auto decisions = chooseJoints(c, folder.path("list.txt"));
  ASSERT_TRUE(decisions);
  EXPECT_FALSE((*decisions)[0].deforms);
  EXPECT_TRUE((*decisions)[1].deforms);
  EXPECT_NE((*decisions)[1].reason.find("line 1"), std::string::npos);
}

std::string decided(const Skeleton& s, const JointOverrides& overrides) {
  Character c;
  c.mesh = test::tube(1, 0.2, 5, 8);
  c.skeleton = s;
  const auto decisions = chooseJoints(c, "all", overrides);
  if (!decisions) return decisions.error().text();
  std::string out;
  for (const JointDecision& d : *decisions) out += d.rule == "user" ? d.deforms ? 'K' : 'D' : d.deforms ? 'k' : 'd';
  return out;
}

TEST(JointOverrides, TakePrecedenceOverTheRules) {
  const Skeleton s = named({"Hips", "Leg_L", "Leg_R", "Leg_IK", "Leg_IK"});
  EXPECT_EQ(decided(s, {}), "kkkkk");
  EXPECT_EQ(decided(s, {"", "Leg_IK"}), "kkkDD") << "applies to all joints of this name";
  EXPECT_EQ(decided(s, {"", " Hips , Leg_? "}), "DDDkk");
  EXPECT_EQ(decided(s, {"Leg_*", ""}), "kKKKK");
  EXPECT_EQ(decided(s, {"Leg_L", "Leg_*"}), "kKDDD") << "a name takes precedence over a pattern";
  EXPECT_EQ(decided(s, {"Leg_*", "Leg_L"}), "kDKKK");
  EXPECT_EQ(decided(s, {"*", "*_IK"}), "KKKDD") << "of two patterns the one that drops wins";
}

TEST(JointOverrides, ErrorsNameTheOption) {
  const Skeleton s = named({"Hips", "Leg"});
  EXPECT_EQ(decided(s, {"Hip", ""}).find("--keep-joints: 'Hip' matches no joint"), 0U);
  EXPECT_EQ(decided(s, {"", "Toe*"}).find("--drop-joints: 'Toe*' matches no joint"), 0U);
  EXPECT_NE(decided(s, {"Hips", "Leg,Hips"}).find("both kept and dropped"), std::string::npos);
}

TEST(JointOverrides, BindAppliesThemAndNamesThePattern) {
  Character c = test::tubeCharacter(4);
  c.skeleton.joints[3].name = "hand_ik_target"; // dropped by a rule
  ASSERT_EQ((*chooseJoints(c, "auto"))[3].rule, "control");
  BindOptions options;
  options.method = BindMethod::Proximity;
  options.keep_joints = "hand_*";
  options.drop_joints = "joint1";
  const auto result = bind(c, options);
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->report.joints[3].reason, "kept by the user ('hand_*')");
  EXPECT_EQ(result->report.joints[1].reason, "dropped by the user ('joint1')");
  bool follows_kept = false;
  for (std::size_t i = 0; i < result->weights.weights.size(); ++i) {
    if (result->weights.weights[i] == 0) continue;
    EXPECT_NE(result->weights.joints[i], 1);
    follows_kept = follows_kept || result->weights.joints[i] == 3;
  }
  EXPECT_TRUE(follows_kept);
  options.drop_joints = "*";
  options.keep_joints = "";
  EXPECT_EQ(bind(c, options).error().code, ErrorCode::NoJoints);
}

} // namespace
} // namespace skincells::joints

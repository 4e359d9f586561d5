#include <gtest/gtest.h>

#include "bind/joint_list.h"
#include "support/files.h"
#include "support/shapes.h"

namespace skincells {
namespace {

Skeleton named(const std::vector<std::string>& names) {
  Skeleton s = test::chain(static_cast<int>(names.size()), 1);
  for (std::size_t j = 0; j < names.size(); ++j) s.joints[j].name = names[j];
  return s;
}

std::string kept(const Skeleton& s, std::string_view text) {
  const auto decisions = binding::chooseByList(s, text, "list");
  if (!decisions) return decisions.error().text();
  std::string names;
  for (const JointDecision& d : *decisions)
    if (d.deforms) names += s.joints[static_cast<std::size_t>(d.joint)].name + " ";
  return names;
}

TEST(Glob, StarsAndQuestionMarks) {
  EXPECT_TRUE(binding::globMatches("Hips", "Hips"));
  EXPECT_FALSE(binding::globMatches("Hips", "hips"));
  EXPECT_FALSE(binding::globMatches("Hips", "Hips2"));
  EXPECT_TRUE(binding::globMatches("*_IK", "leg_IK"));
  EXPECT_TRUE(binding::globMatches("*a*b*", "xxaxxbab"));
  EXPECT_FALSE(binding::globMatches("*a*b", "xxaxxba"));
  EXPECT_TRUE(binding::globMatches("Spine?", "Spine1"));
  EXPECT_FALSE(binding::globMatches("Spine?", "Spine"));
  EXPECT_TRUE(binding::globMatches("*", ""));
  EXPECT_FALSE(binding::globMatches("?", ""));
  EXPECT_TRUE(binding::globMatches("", ""));
  EXPECT_TRUE(binding::globMatches("dian (1)[x]", "dian (1)[x]"));
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

} // namespace
} // namespace skincells

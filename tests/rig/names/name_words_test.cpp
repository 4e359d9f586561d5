#include "rig/names/name_words.h"

#include <gtest/gtest.h>

#include "rig/names/joint_names.h"

namespace skincells::rig {
namespace {

std::string_view control(std::string_view name) {
  static JointName kept; // owns the word that is returned
  kept = splitJointName(name);
  return controlWord(kept);
}

bool mentions(std::string_view name, WordMeaning meaning) {
  return rig::mentions(splitJointName(name), meaning);
}

bool mentions(std::string_view name, HumanPart part) {
  return mentionsPart(splitJointName(name), {part});
}

TEST(NameWords, ShortControlWordsMustBeWholeWords) {
  EXPECT_EQ(control("Leg_IK.L"), "ik");
  EXPECT_EQ(control("LegIK"), "ik");
  EXPECT_EQ(control("Spike"), "");
  EXPECT_EQ(control("handslot.l"), "slot");
  EXPECT_EQ(control("forearm.L"), "");
}

TEST(NameWords, BoneEndsIncludeWordsThatEndInNub) {
  EXPECT_TRUE(isBoneEndWord("end"));
  EXPECT_TRUE(isBoneEndWord("nub"));
  EXPECT_TRUE(isBoneEndWord("headnub"));
  EXPECT_FALSE(isBoneEndWord("weekend"));
}

TEST(NameWords, AWordMayHaveSeveralMeanings) {
  ASSERT_TRUE(findWord("hip", WordMeaning::MiddlePart));
  ASSERT_TRUE(findWord("hip", WordMeaning::PairedPart));
  EXPECT_EQ(findWord("hip", WordMeaning::PairedPart)->part, HumanPart::Hips);
  EXPECT_TRUE(means("eye", WordMeaning::Face));
  EXPECT_EQ(findWord("eye", WordMeaning::PairedPart)->part, HumanPart::Eye);
  EXPECT_FALSE(findWord("eye", WordMeaning::Control));
}

TEST(NameWords, PartsAreFoundInsideUnknownWordsOnly) {
  EXPECT_TRUE(mentions("LeftFoot", HumanPart::Foot));
  EXPECT_TRUE(mentions("lfoot", HumanPart::Foot));
  EXPECT_TRUE(mentions("hindpaw_l", WordMeaning::AnimalFoot));
  EXPECT_TRUE(mentions("Eyeball.L", HumanPart::Eye));
  EXPECT_FALSE(mentions("Eyeball.L", HumanPart::Toe)) << "contains 'ball', but is a known word";
  EXPECT_TRUE(mentions("Tail3", WordMeaning::Tail));
  EXPECT_FALSE(mentions("Weapon", HumanPart::Foot));
}

} // namespace
} // namespace skincells::rig

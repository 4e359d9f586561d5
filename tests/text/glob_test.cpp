#include <gtest/gtest.h>

#include "text/glob.h"

namespace skincells {
namespace {

TEST(Glob, StarsAndQuestionMarks) {
  EXPECT_TRUE(text::globMatches("Hips", "Hips"));
  EXPECT_FALSE(text::globMatches("Hips", "hips"));
  EXPECT_FALSE(text::globMatches("Hips", "Hips2"));
  EXPECT_TRUE(text::globMatches("*_IK", "leg_IK"));
  EXPECT_TRUE(text::globMatches("*a*b*", "xxaxxbab"));
  EXPECT_FALSE(text::globMatches("*a*b", "xxaxxba"));
  EXPECT_TRUE(text::globMatches("Spine?", "Spine1"));
  EXPECT_FALSE(text::globMatches("Spine?", "Spine"));
  EXPECT_TRUE(text::globMatches("*", ""));
  EXPECT_FALSE(text::globMatches("?", ""));
  EXPECT_TRUE(text::globMatches("", ""));
  EXPECT_TRUE(text::globMatches("dian (1)[x]", "dian (1)[x]"));
}

TEST(Glob, WildcardsAreSeen) {
  EXPECT_TRUE(text::hasWildcard("a*"));
  EXPECT_TRUE(text::hasWildcard("?"));
  EXPECT_FALSE(text::hasWildcard("dian (1)[x]"));
}

} // namespace
} // namespace skincells

#include "rig/names/find_joint.h"

#include <gtest/gtest.h>

#include "support/shapes.h"

namespace skincells::rig {
namespace {

Skeleton named(const std::vector<std::string>& names) {
  Skeleton skeleton;
  for (const std::string& name : names) test::addJoint(skeleton, name, kNoParent, {});
  return skeleton;
}

TEST(MatchNames, FindsEachNameInAnyOrder) {
  const std::vector<std::string> names{"b", "x", "a"};
  EXPECT_EQ(matchNames(names, named({"a", "b", "c"})), (std::vector{1, -1, 0}));
  EXPECT_EQ(matchNames(named(names), named({"a", "b", "c"})), (std::vector{1, -1, 0}));
}

TEST(MatchNames, EqualNamesGoInOrderAndNoJointTwice) {
  EXPECT_EQ(matchNames(named({"a", "a", "b", "a"}), named({"b", "a", "a"})), (std::vector{1, 2, 0, -1}));
}

TEST(MatchNames, CaseMatters) {
  EXPECT_EQ(matchNames(named({"Hips"}), named({"hips"})), (std::vector{-1}));
}

TEST(MatchNames, AcceptsEmptySkeletons) {
  EXPECT_TRUE(matchNames(Skeleton{}, named({"a"})).empty());
  EXPECT_EQ(matchNames(named({"", "a"}), Skeleton{}), (std::vector{-1, -1}));
}

TEST(NearestName, KeepsTheSide) {
  EXPECT_EQ(nearestName("Arm.L", named({"Arm.R", "Leg.L"})), -1);
  EXPECT_EQ(nearestName("LeftHand", named({"RightHand", "Left_Hand"})), 1);
}

TEST(NearestName, AllowsAFewWrongLetters) {
  EXPECT_EQ(nearestName("Spine01", named({"Neck", "Spine1"})), 1);
  EXPECT_EQ(nearestName("Spnie1", named({"Neck", "Spine1"})), -1) << "two of six letters are too many";
}

TEST(CloseNames, ListsTheNearestNamesIgnoringCase) {
  const Skeleton s = named({"Hips", "LeftArm", "LeftForeArm", "LeftHand", "RightArm"});
  EXPECT_EQ(closeNames(s, "leftarm"), "; close to it: 'LeftArm', 'LeftHand'");
  EXPECT_EQ(closeNames(s, "Zygomaticus"), "");
  EXPECT_EQ(closeNames(s, std::string(1000, 'x')), "");
}

} // namespace
} // namespace skincells::rig

#include "rig/names/name_match.h"

#include <gtest/gtest.h>

#include "support/shapes.h"

namespace skincells::rig {
namespace {

Skeleton named(const std::vector<std::string>& names) {
  Skeleton skeleton;
  for (const std::string& name : names) test::addJoint(skeleton, name, kNoParent, {});
  return skeleton;
}

TEST(NameMatch, FindsEachNameWhereverItStands) {
  const std::vector<std::string> names{"b", "x", "a"};
  EXPECT_EQ(matchNames(names, named({"a", "b", "c"})), (std::vector{1, -1, 0}));
  EXPECT_EQ(matchNames(named(names), named({"a", "b", "c"})), (std::vector{1, -1, 0}));
}

TEST(NameMatch, EqualNamesGoInOrderAndNoJointTwice) {
  EXPECT_EQ(matchNames(named({"a", "a", "b", "a"}), named({"b", "a", "a"})), (std::vector{1, 2, 0, -1}));
}

TEST(NameMatch, CaseCounts) {
  EXPECT_EQ(matchNames(named({"Hips"}), named({"hips"})), (std::vector{-1}));
}

TEST(NameMatch, NothingIsFine) {
  EXPECT_TRUE(matchNames(Skeleton{}, named({"a"})).empty());
  EXPECT_EQ(matchNames(named({"", "a"}), Skeleton{}), (std::vector{-1, -1}));
}

} // namespace
} // namespace skincells::rig

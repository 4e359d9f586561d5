#include "transfer/skeletons.h"

#include <gtest/gtest.h>

#include "support/shapes.h"

namespace skincells::transfer {
namespace {

Skeleton named(const std::vector<std::string>& names) {
  Skeleton skeleton;
  for (const std::string& name : names) test::addJoint(skeleton, name, kNoParent, {});
  return skeleton;
}

TEST(MatchJoints, ByNameInAnyOrder) {
  const auto match = matchJoints(named({"a", "b", "c"}), std::vector{2, 0}, named({"c", "x", "a", "b"}), "m.glb");
  ASSERT_TRUE(match);
  EXPECT_EQ(*match, (std::vector{0, 2}));
}

TEST(MatchJoints, EqualNamesInOrder) {
  const auto match = matchJoints(named({"a", "b", "a", "a"}), std::vector{3, 0}, named({"a", "a", "b", "a"}), "m.glb");
  ASSERT_TRUE(match);
  EXPECT_EQ(*match, (std::vector{3, 0}));
  EXPECT_FALSE(matchJoints(named({"a", "a"}), std::vector{1}, named({"a"}), "m.glb"));
}

TEST(MatchJoints, MissingJointsAreListedWithSuggestions) {
  const auto match = matchJoints(named({"mixamorig:LeftArm", "Hips", "Tail"}), std::vector{0, 1, 2},
                                 named({"LeftArm", "RightArm", "hips", "Spine"}), "m.glb");
  ASSERT_FALSE(match);
  const std::string& message = match.error().message;
  EXPECT_EQ(match.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(match.error().where, "m.glb");
  for (const char* part : {"3 of 3", "'mixamorig:LeftArm' (did you mean 'LeftArm'?)", "'hips'", "'Tail'", "--rig"})
    EXPECT_NE(message.find(part), std::string::npos) << part << " is missing in: " << message;
}

TEST(MatchJoints, LongListsAreTruncated) {
  std::vector<std::string> names;
  std::vector<int> wanted;
  for (int j = 0; j < 40; ++j) {
    names.push_back("bone" + std::to_string(j));
    wanted.push_back(j);
  }
  const auto match = matchJoints(named(names), wanted, named({"x"}), "m.glb");
  ASSERT_FALSE(match);
  EXPECT_NE(match.error().message.find("and 34 more"), std::string::npos) << match.error().message;
}

} // namespace
} // namespace skincells::transfer

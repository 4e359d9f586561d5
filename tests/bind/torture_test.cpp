// Every method and quality on input that is degenerate, hostile or merely strange: a valid result or a clear error.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "skincells/bind.h"
#include "support/shapes.h"
#include "support/torture.h"

namespace skincells {
namespace {

struct Setting {
  const char* name;
  BindMethod method;
  BindQuality quality;
};
constexpr Setting kSettings[] = {{"Proximity", BindMethod::Proximity, BindQuality::Normal},
                                 {"Heat", BindMethod::Heat, BindQuality::Normal},
                                 {"Draft", BindMethod::SkinCells, BindQuality::Draft},
                                 {"Normal", BindMethod::SkinCells, BindQuality::Normal}};

BindOptions optionsOf(const Setting& setting, int max_influences, const char* joints) {
  BindOptions options;
  options.method = setting.method;
  options.quality = setting.quality;
  options.max_influences = max_influences;
  options.joints = joints;
  return options;
}

class Torture : public testing::TestWithParam<Setting> {};

TEST_P(Torture, EveryCharacterGetsValidWeights) {
  for (const test::TortureCase& t : test::tortureFamily())
    for (const char* joints : {"auto", "all"}) {
      SCOPED_TRACE(t.name + ", joints " + joints);
      const auto result = bind(t.character, optionsOf(GetParam(), 4, joints));
      ASSERT_TRUE(result) << result.error().text();
      test::expectSound(t.character, result->weights, 4);
    }
}

TEST_P(Torture, AnyCapIsKept) {
  for (const test::TortureCase& t : test::tortureFamily())
    for (int k : {1, 8}) {
      SCOPED_TRACE(t.name + ", at most " + std::to_string(k));
      const auto result = bind(t.character, optionsOf(GetParam(), k, "all"));
      ASSERT_TRUE(result) << result.error().text();
      test::expectSound(t.character, result->weights, k);
    }
}

INSTANTIATE_TEST_SUITE_P(Settings, Torture, testing::ValuesIn(kSettings),
                         [](const auto& test) { return test.param.name; });

// Large input has to end, not to be fast: the limits of CTest catch what grows out of bounds.
TEST(TortureLarge, TwoThousandJointsOfEveryForm) {
  Character chain = test::tubeCharacter(1), star, bush;
  chain.skeleton = test::chain(2000, 4);
  star = bush = chain;
  for (int j = 1; j < 2000; ++j) {
    star.skeleton.joints[static_cast<std::size_t>(j)].parent = 0;
    bush.skeleton.joints[static_cast<std::size_t>(j)].parent = (j - 1) / 3;
  }
  const auto expectBound = [](const Character& c, const Setting& setting) {
    const auto result = bind(c, optionsOf(setting, 4, "all"));
    ASSERT_TRUE(result) << result.error().text();
    test::expectSound(c, result->weights, 4);
  };
  for (const Character* c : {&chain, &star, &bush})
    for (const Setting& setting : kSettings)
      if (setting.method != BindMethod::SkinCells || setting.quality == BindQuality::Draft) expectBound(*c, setting);
}

TEST(TortureLarge, TriangleSoupAndPointCloud) {
  Character soup = test::triangleSoup(10000, 5);
  Character cloud = soup;
  cloud.mesh.triangles.clear();
  for (const Character* c : {&soup, &cloud})
    for (const Setting& setting : kSettings) {
      if (setting.method == BindMethod::SkinCells && setting.quality != BindQuality::Draft) continue;
      const auto result = bind(*c, optionsOf(setting, 4, "auto"));
      ASSERT_TRUE(result) << result.error().text();
      test::expectSound(*c, result->weights, 4);
    }
}

// A character that somebody built in memory can be wrong in ways that no reader lets through.
struct Broken {
  const char* name;
  void (*damage)(Character&);
  ErrorCode code;
  const char* where;
};
const Broken kBroken[] = {
    {"NotANumber", [](Character& c) { c.mesh.positions[7].y = NAN; }, ErrorCode::InvalidFile, "tube, vertex 7"},
    {"InfinitePosition", [](Character& c) { c.mesh.positions[0].x = -INFINITY; }, ErrorCode::InvalidFile,
     "tube, vertex 0"},
    {"BeyondAnyUnit", [](Character& c) { c.mesh.positions[1].z = 1e30F; }, ErrorCode::InvalidFile, "tube, vertex 1"},
    {"VertexIndex", [](Character& c) { c.mesh.triangles[3][1] = 100000; }, ErrorCode::InvalidFile, "tube, triangle 3"},
    {"BindNotANumber", [](Character& c) { c.skeleton.joints[2].bind.m[1][1] = NAN; }, ErrorCode::InvalidFile,
     "joint 'joint2'"},
    {"RestInfinite", [](Character& c) { c.skeleton.joints[1].rest.m[0][3] = INFINITY; }, ErrorCode::InvalidFile,
     "joint 'joint1'"},
    {"JointFarAway", [](Character& c) { c.skeleton.joints[1].bind.m[0][3] = 1e300; }, ErrorCode::InvalidFile,
     "joint 'joint1'"},
    {"Parent", [](Character& c) { c.skeleton.joints[3].parent = 9; }, ErrorCode::InvalidFile, "joint 'joint3'"},
    {"OwnParent", [](Character& c) { c.skeleton.joints[3].parent = 3; }, ErrorCode::InvalidFile, "joint 'joint3'"},
    {"Circle", [](Character& c) { c.skeleton.joints[0].parent = 3; }, ErrorCode::InvalidFile, "joint 'joint0'"},
    {"RowsMissing", [](Character& c) { c.weights = SparseWeights(3, 4); }, ErrorCode::Mismatch, "tube"},
    {"RowsOfAnotherSkeleton",
     [](Character& c) {
       c.weights = SparseWeights(c.mesh.positions.size(), 4);
       c.weights.joints[5] = 77, c.weights.weights[5] = 1;
     },
     ErrorCode::InvalidFile, "tube, vertex 1"},
    {"TooManyJoints", [](Character& c) { c.skeleton = test::chain(65536, 4); }, ErrorCode::TooLarge, "tube"},
};

class BrokenCharacter : public testing::TestWithParam<Broken> {};

TEST_P(BrokenCharacter, IsRefusedWithItsPlace) {
  Character c = test::tubeCharacter(4);
  GetParam().damage(c);
  for (const Setting& setting : kSettings) {
    const auto result = bind(c, optionsOf(setting, 4, "auto"));
    ASSERT_FALSE(result);
    EXPECT_EQ(errorName(result.error().code), errorName(GetParam().code));
    EXPECT_EQ(result.error().where, GetParam().where);
    EXPECT_FALSE(result.error().message.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(All, BrokenCharacter, testing::ValuesIn(kBroken),
                         [](const auto& test) { return test.param.name; });

} // namespace
} // namespace skincells

#include "report/facts.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "skincells/bind.h"

namespace skincells::report {
namespace {

Json jsonOf(const Facts& facts) {
  return Json::parse(facts.document().json);
}

TEST(Facts, AreInTextAndJson) {
  Facts facts("inspect", "hero.glb");
  facts.add("mesh", "mesh", {{"vertices", 12, "12 vertices"}, {"triangles", 20, "20 triangles"}});
  EXPECT_EQ(facts.document().text, "hero.glb\n  mesh        12 vertices, 20 triangles\n");
  const Json json = jsonOf(facts);
  EXPECT_EQ(json["command"], "inspect");
  EXPECT_EQ(json["mesh"], Json({{"vertices", 12}, {"triangles", 20}}));
}

TEST(Facts, MayBeInOneOfBothOnly) {
  Facts facts("inspect", "hero.glb");
  facts.add("mesh", "mesh", {{"vertices", 12}, {"", nullptr, "closed"}});
  facts.add("mesh", "hidden", {{"seams", 3}});
  EXPECT_EQ(facts.document().text, "hero.glb\n  mesh        closed\n");
  EXPECT_EQ(jsonOf(facts)["mesh"], Json({{"vertices", 12}, {"seams", 3}}));
}

TEST(Facts, LongLabelsStayApartFromTheirText) {
  Facts facts("inspect", "hero.glb");
  facts.add("mesh", "a label of many words", {{"x", 1, "one"}});
  EXPECT_EQ(facts.document().text, "hero.glb\n  a label of many words one\n");
}

TEST(Facts, ListProblemsOrTheirAbsence) {
  Facts without("inspect", "hero.glb"), with("inspect", "hero.glb");
  without.addProblems({});
  with.addProblems({"no skin", "no clips"});
  EXPECT_EQ(without.document().text, "hero.glb\n  no problems found\n");
  EXPECT_EQ(with.document().text, "hero.glb\n  warnings\n    - no skin\n    - no clips\n");
}

TEST(JsonText, RepairsStringsThatAreNotUtf8) {
  const std::string printed = print(Json({{"name", "a\xff"}}));
  EXPECT_EQ(Json::parse(printed)["name"], "a\xef\xbf\xbd");
  EXPECT_TRUE(printed.ends_with("}\n"));
}

TEST(JsonText, OptionsHaveTheirTypes) {
  const Json json = optionsJson(valuesOf(bindOptionTable(), BindOptions{}));
  EXPECT_EQ(json["max-influences"], 4);
  EXPECT_EQ(json["stiffness"], 1.0);
  EXPECT_EQ(json["guard"], true);
  EXPECT_EQ(json["method"], "skin-cells");
}

} // namespace
} // namespace skincells::report

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "text/json_access.h"

namespace skincells {
namespace {

using text::JsonPlace;

TEST(JsonPlace, ErrorsNameTheirPlace) {
  const auto json = nlohmann::ordered_json::parse(R"({"a/b": [{"n": -1}], "s": "text"})");
  const JsonPlace root(json, "file#");
  const JsonPlace entry = root.at("a/b").at(std::size_t{0});
  EXPECT_EQ(entry.pointer(), "file#/a~1b/0");
  EXPECT_EQ(entry.number("n", 10).error().where, "file#/a~1b/0/n");
  EXPECT_EQ(root.text("s"), "text");
}

TEST(JsonPlace, MissingMembersAreNull) {
  const auto json = nlohmann::ordered_json::parse("[1, 2]");
  const JsonPlace root(json, "");
  EXPECT_FALSE(root.has("a"));
  EXPECT_TRUE(root.at("a").at("b").value().is_null());
  EXPECT_EQ(root.at("a").size(), 0U);
  EXPECT_EQ(root.text("a"), "");
  EXPECT_EQ(*root.number("a", 10, 7), 7U);
  EXPECT_EQ(*root.index("a", 10, "node"), -1);
}

TEST(JsonPlace, IndicesStayBelowTheirLimit) {
  const auto json = nlohmann::ordered_json::parse(R"({"i": 3, "f": 3.0, "h": 3.5, "huge": 1e300})");
  const JsonPlace root(json, "");
  EXPECT_EQ(*root.index("i", 4, "node"), 3);
  EXPECT_FALSE(root.index("i", 3, "node").has_value());
  EXPECT_EQ(*root.number("f", 4), 3U); // some exporters write it so
  EXPECT_FALSE(root.number("h", 4).has_value());
  EXPECT_FALSE(root.number("huge", 4).has_value());
  EXPECT_FALSE(root.number("missing", 4).has_value());
}

TEST(JsonPlace, MembersComeInOrder) {
  const auto json = nlohmann::ordered_json::parse(R"({"z": 1, "a": 2})");
  const auto members = JsonPlace(json, "#").members();
  ASSERT_EQ(members.size(), 2U);
  EXPECT_EQ(members[0].first, "z");
  EXPECT_EQ(members[1].second.pointer(), "#/a");
  EXPECT_TRUE(JsonPlace(json, "#").at("z").members().empty());
}

} // namespace
} // namespace skincells

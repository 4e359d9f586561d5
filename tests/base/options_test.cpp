#include <gtest/gtest.h>

#include "skincells/options.h"

namespace skincells {
namespace {

enum class Fruit { Apple, Pear };
struct Sample {
  int count = 4;
  double angle = 35.5;
  bool loud = false;
  std::string name = "x";
  Fruit fruit = Fruit::Pear;
};
const OptionTable<Sample>& table() {
  static const OptionTable<Sample> t{
      options::integer("count", &Sample::count, 1, 8, "how many"),
      options::real("angle", &Sample::angle, 0.0, 180.0, "how far"),
      options::flag("loud", &Sample::loud, "say so"),
      options::text("name", &Sample::name, "", "who"),
      options::choice<Sample, Fruit>("fruit", &Sample::fruit, {{"apple", Fruit::Apple}, {"pear", Fruit::Pear}},
                                     "which"),
  };
  return t;
}

TEST(Options, DefaultsComeFromTheStruct) {
  EXPECT_EQ(table()[0].default_text, "4");
  EXPECT_EQ(table()[1].default_text, "35.5");
  EXPECT_EQ(table()[2].default_text, "false");
  EXPECT_EQ(table()[4].default_text, "pear");
  EXPECT_EQ(table()[4].range, "apple | pear");
}

TEST(Options, ValuesOutOfRangeNameTheOptionAndItsRange) {
  Sample s;
  for (const char* bad : {"0", "9", "two", "3.5", "", "4 "}) {
    const auto r = table()[0].set(s, bad);
    ASSERT_FALSE(r) << bad;
    EXPECT_EQ(r.error().code, ErrorCode::InvalidOption);
    EXPECT_EQ(r.error().where, "--count");
    EXPECT_NE(r.error().message.find("1 .. 8"), std::string::npos);
  }
  EXPECT_EQ(s.count, 4);
  EXPECT_FALSE(table()[1].set(s, "nan"));
  EXPECT_FALSE(table()[1].set(s, "180.1"));
  EXPECT_FALSE(table()[2].set(s, "maybe"));
  EXPECT_FALSE(table()[4].set(s, "plum"));
}

TEST(Options, ValidValuesAreStored) {
  Sample s;
  ASSERT_TRUE(table()[0].set(s, "8"));
  ASSERT_TRUE(table()[1].set(s, "0.25"));
  ASSERT_TRUE(table()[2].set(s, "true"));
  ASSERT_TRUE(table()[3].set(s, "who knows"));
  ASSERT_TRUE(table()[4].set(s, "apple"));
  EXPECT_EQ(s.count, 8);
  EXPECT_EQ(s.angle, 0.25);
  EXPECT_TRUE(s.loud);
  EXPECT_EQ(s.name, "who knows");
  EXPECT_EQ(s.fruit, Fruit::Apple);
}

TEST(Options, ValidateFindsTheFirstBadField) {
  Sample s;
  EXPECT_TRUE(options::validate(table(), s));
  s.angle = -1;
  s.count = 100;
  const auto r = options::validate(table(), s);
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().where, "--count");
}

struct Switches {
  bool guard = true;
};

TEST(Options, ATogglesValueIsAlwaysGiven) {
  const auto guard = options::toggle("guard", &Switches::guard, "or not");
  EXPECT_EQ(guard.default_text, "true");
  EXPECT_NE(guard.kind, OptionKind::Flag); // a bare flag could only set it
  Switches s;
  ASSERT_TRUE(guard.set(s, "false"));
  EXPECT_FALSE(s.guard);
  EXPECT_EQ(guard.get(s), "false");
  const auto bad = guard.set(s, "maybe");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().where, "--guard");
}

} // namespace
} // namespace skincells

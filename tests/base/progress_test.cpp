#include "skincells/progress.h"

#include <string>

#include <gtest/gtest.h>

namespace skincells {
namespace {

TEST(Progress, CanBeCalledWithAllOrWithTheOldPair) {
  std::string seen;
  double loss = 0;
  const ProgressFunction full = [&](const Progress& p) {
    seen = p.stage;
    loss = p.loss.value_or(-1);
    return p.fraction < 0.5;
  };
  EXPECT_TRUE(full({"fit", 0.25, 3.5, 10.0}));
  EXPECT_EQ(seen, "fit");
  EXPECT_EQ(loss, 3.5);
  EXPECT_FALSE(full("losses", 0.75));
  EXPECT_EQ(loss, -1);

  const ProgressFunction pair = [&](std::string_view stage, double fraction) {
    seen = stage;
    return fraction < 0.5;
  };
  EXPECT_TRUE(pair({"refit", 0.1, 2.0, {}}));
  EXPECT_EQ(seen, "refit");
  EXPECT_FALSE(pair("refit", 0.9));
}

TEST(Progress, MayBeNothing) {
  EXPECT_FALSE(ProgressFunction());
  EXPECT_FALSE(ProgressFunction(std::function<bool(std::string_view, double)>()));
  EXPECT_FALSE(ProgressFunction(std::function<bool(const Progress&)>()));
  const ProgressFunction some = [](const Progress&) { return true; };
  const ProgressFunction copy = some;
  EXPECT_TRUE(some);
  EXPECT_TRUE(copy({"", 0, {}, {}}));
}

} // namespace
} // namespace skincells

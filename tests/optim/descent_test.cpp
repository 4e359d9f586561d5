#include "optim/descent.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace skincells::optim {
namespace {

// (x - 1)^2 from x = 5.
struct Bowl {
  std::vector<float> x = {5};
  Adam adam = Adam(1, {{0, 1, 0.1F}});

  Objective objective() {
    Objective o;
    o.measure = [this](int, std::span<float> gradient) {
      gradient[0] = 2 * (x[0] - 1);
      return lossAt(1);
    };
    return o;
  }
  double lossAt(double bottom) const {
    return (static_cast<double>(x[0]) - bottom) * (static_cast<double>(x[0]) - bottom);
  }
};

TEST(Descend, TakesAllStepsAndKeepsTheLastValuesWithoutAHeldOutLoss) {
  Bowl bowl;
  const DescentReport report = descend(bowl.x, bowl.adam, {.steps = 150}, bowl.objective());
  EXPECT_EQ(report.stop_reason, "done");
  ASSERT_EQ(report.loss.size(), 150U);
  EXPECT_EQ(report.loss[0], 16);
  EXPECT_TRUE(report.held_out.empty());
  EXPECT_NEAR(bowl.x[0], 1, 0.05F);
}

TEST(Descend, ConstantRatesMoveFartherThanFallingOnes) {
  Bowl falling, constant;
  descend(falling.x, falling.adam, {.steps = 20}, falling.objective());
  descend(constant.x, constant.adam, {.steps = 20, .schedule = Schedule::Constant}, constant.objective());
  EXPECT_LT(constant.x[0], falling.x[0] - 0.5F);
}

TEST(Descend, KeepsTheBestByHeldOutLoss) {
  Bowl bowl;
  Objective o = bowl.objective();
  o.held_out = [&] { return bowl.lossAt(3) + 1; }; // its minimum is passed on the way down
  const DescentReport report = descend(bowl.x, bowl.adam, {.steps = 200, .watch = {.every = 5, .stop = false}}, o);
  EXPECT_EQ(report.stop_reason, "done");
  EXPECT_EQ(report.loss.size(), 200U);
  EXPECT_EQ(report.held_out.front().step, 0);
  EXPECT_EQ(report.held_out.back().step, 200); // measured at the end too
  EXPECT_NEAR(bowl.x[0], 3, 0.3F);
}

TEST(Descend, StopsWhenTheHeldOutLossHasSettled) {
  Bowl bowl;
  Objective o = bowl.objective();
  o.held_out = [&] { return bowl.lossAt(1) + 1; };
  const DescentReport report =
      descend(bowl.x, bowl.adam, {.steps = 5000, .schedule = Schedule::Constant, .watch = {.every = 10}}, o);
  EXPECT_EQ(report.stop_reason, "settled");
  EXPECT_LT(report.loss.size(), 500U);
  EXPECT_GT(report.loss.size(), 50U); // not while it was still falling
  EXPECT_NEAR(bowl.x[0], 1, 0.1F);
}

TEST(Descend, KeepsTheBestWhenCancelled) {
  Bowl bowl;
  Objective o = bowl.objective();
  o.held_out = [&] { return bowl.lossAt(4.5) + 1; };
  std::vector<double> reported;
  o.go_on = [&](double fraction, double loss) {
    EXPECT_NEAR(fraction, static_cast<double>(reported.size()) / 1000, 1e-12);
    reported.push_back(loss);
    return reported.size() <= 30;
  };
  const DescentReport report = descend(bowl.x, bowl.adam, {.steps = 1000, .watch = {.every = 5, .stop = false}}, o);
  EXPECT_EQ(report.stop_reason, "cancelled");
  EXPECT_EQ(report.loss.size(), 30U);
  EXPECT_TRUE(std::isnan(reported[0]));
  EXPECT_EQ(reported[1], 16);
  EXPECT_NEAR(bowl.x[0], 4.5, 0.3F);
}

TEST(Descend, ReturnsToTheBestWhenALossIsNotFinite) {
  for (bool watched : {false, true}) {
    Bowl bowl;
    Objective o = bowl.objective();
    const auto finite = o.measure;
    o.measure = [&, finite](int step, std::span<float> gradient) {
      return step == 30 ? std::numeric_limits<double>::quiet_NaN() : finite(step, gradient);
    };
    if (watched) o.held_out = [&] { return bowl.lossAt(5) + 1; };
    const DescentReport report = descend(bowl.x, bowl.adam, {.steps = 100}, o);
    EXPECT_EQ(report.stop_reason, "diverged");
    EXPECT_EQ(report.loss.size(), 30U);
    EXPECT_TRUE(watched ? bowl.x[0] == 5 : bowl.x[0] < 4) << bowl.x[0];
  }
}

TEST(Descend, ReturnsToTheStartWhenTheHeldOutLossExplodes) {
  Bowl bowl;
  Objective o = bowl.objective();
  o.held_out = [&] { return std::exp(10 * (5 - static_cast<double>(bowl.x[0]))); };
  DescentReport report = descend(bowl.x, bowl.adam, {.steps = 100}, o);
  EXPECT_EQ(report.stop_reason, "diverged");
  EXPECT_LT(report.loss.size(), 100U);
  EXPECT_EQ(bowl.x[0], 5);
  // Also if only the last measurement shows it, as infinity.
  Bowl late;
  o = late.objective();
  o.held_out = [&] { return late.x[0] < 5 ? std::numeric_limits<double>::infinity() : 1.0; };
  report = descend(late.x, late.adam, {.steps = 10}, o);
  EXPECT_EQ(report.stop_reason, "diverged");
  EXPECT_EQ(report.held_out.size(), 1U); // losses that are not finite are not recorded
  EXPECT_EQ(late.x[0], 5);
}

TEST(Descend, ConstraintsHoldAfterEveryStep) {
  Bowl bowl;
  Objective o = bowl.objective();
  o.constrain = [&] { bowl.x[0] = std::max(bowl.x[0], 4.0F); };
  descend(bowl.x, bowl.adam, {.steps = 100}, o);
  EXPECT_EQ(bowl.x[0], 4);
}

TEST(Descend, NoStepsAndNoNumbers) {
  Bowl bowl;
  EXPECT_TRUE(descend(bowl.x, bowl.adam, {.steps = 0}, bowl.objective()).loss.empty());
  EXPECT_EQ(bowl.x[0], 5);
  Adam none(0, {});
  Objective o;
  o.measure = [](int, std::span<float>) { return 0.0; };
  o.held_out = [] { return 0.0; };
  EXPECT_EQ(descend({}, none, {.steps = 3}, o).loss.size(), 3U);
}

} // namespace
} // namespace skincells::optim

#include "optim/adam.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace skincells::optim {
namespace {

TEST(Adam, FindsTheMinimumOfAQuadratic) {
  std::vector<float> x = {3, -2, 5}, g(3);
  const float target[3] = {1, 2, -3};
  Adam adam(3, {{0, 3, 0.3F}});
  for (int step = 0; step < 200; ++step) {
    for (std::size_t i = 0; i < 3; ++i) g[i] = 2 * static_cast<float>(i + 1) * (x[i] - target[i]);
    adam.step(x, g, cosineSchedule(step, 200));
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(x[i], target[i], 1e-3F);
}

TEST(Adam, FollowsTheRosenbrockValley) {
  std::vector<float> x = {-1.2F, 1}, g(2);
  Adam adam(2, {{0, 2, 0.02F}});
  for (int step = 0; step < 4000; ++step) {
    const float a = 1 - x[0], b = x[1] - x[0] * x[0];
    g = {-2 * a - 400 * x[0] * b, 200 * b};
    adam.step(x, g, cosineSchedule(step, 4000));
  }
  EXPECT_NEAR(x[0], 1, 0.02F);
  EXPECT_NEAR(x[1], 1, 0.04F);
}

TEST(Adam, FirstStepHasTheSizeOfTheRateWhateverTheGradient) {
  std::vector<float> x = {0, 0, 0};
  Adam adam(3, {{0, 1, 0.1F}, {1, 2, 0.01F}});
  adam.step(x, std::vector<float>{1000, -1e-3F, 5}, 0.5F);
  EXPECT_NEAR(x[0], -0.05F, 1e-6F);
  EXPECT_NEAR(x[1], 0.005F, 1e-6F);
  EXPECT_EQ(x[2], 0); // in no group
}

// A number with a gradient of rounding alone must not move like the others of its block.
TEST(Adam, NumbersOfABlockWithTinyGradientsTakeTinySteps) {
  std::vector<float> x = {0, 0, 0, 0};
  Adam adam(4, {{0, 4, 0.1F, 2}}, {.shared = 0.3F});
  adam.step(x, std::vector<float>{1, 1e-7F, 1e-6F, -1e-6F}, 1);
  EXPECT_NEAR(x[0], -0.1 / std::sqrt(0.7 + 0.3 / 2), 1e-5);
  EXPECT_LT(std::abs(x[1]), 1e-6F);
  EXPECT_NEAR(x[2], -0.1F, 2e-3F); // a block of small gradients moves as far as any other
  EXPECT_NEAR(x[3], 0.1F, 2e-3F);
}

TEST(Adam, RateZeroAndNonFiniteGradientsChangeNothing) {
  std::vector<float> x = {1, 2, 3};
  Adam adam(3, {{0, 1, 0.0F}, {1, 3, 0.1F}});
  adam.step(x, std::vector<float>{7, std::numeric_limits<float>::quiet_NaN(), 1}, 1);
  EXPECT_EQ(x[0], 1);
  EXPECT_EQ(x[1], 2);
  EXPECT_LT(x[2], 3);
}

TEST(Adam, SameInputsSameBits) {
  const auto run = [] {
    std::vector<float> x = {0.3F, 0.7F};
    Adam adam(2, {{0, 2, 0.05F}});
    for (int step = 0; step < 50; ++step) adam.step(x, std::vector<float>{std::sin(x[0]), std::cos(x[1])}, 1);
    return x;
  };
  EXPECT_EQ(run(), run());
}

TEST(CosineSchedule, FallsFromOneToZero) {
  EXPECT_EQ(cosineSchedule(0, 10), 1);
  EXPECT_NEAR(cosineSchedule(5, 10), 0.5F, 1e-6F);
  EXPECT_NEAR(cosineSchedule(10, 10), 0, 1e-6F);
  EXPECT_EQ(cosineSchedule(0, 0), 0);
}

} // namespace
} // namespace skincells::optim

// Every implementation of Adam's inner loop against the formulas in float64.
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/targets.h"

namespace skincells::kernels {
namespace {

constexpr float kRate = 0.03F, kMomentum = 0.9F, kSquareMomentum = 0.999F, kEpsilon = 1e-8F;
constexpr float kOwn = 0.7F, kFloor = 0.2F;

struct Numbers {
  std::vector<float> gradient, mean, mean_square, value;

  Numbers(Random& random, std::size_t size) : gradient(size), mean(size), mean_square(size), value(size) {
    for (std::size_t i = 0; i < size; ++i) {
      gradient[i] = static_cast<float>(random.uniform(-2, 2));
      mean[i] = static_cast<float>(random.uniform(-1, 1));
      mean_square[i] = static_cast<float>(random.uniform(0, 1));
      value[i] = static_cast<float>(random.uniform(-5, 5));
    }
  }
  AdamStep step() {
    return {.size = gradient.size(),
            .gradient = gradient.data(),
            .rate = kRate,
            .momentum = kMomentum,
            .square_momentum = kSquareMomentum,
            .epsilon = kEpsilon,
            .own = kOwn,
            .floor = kFloor,
            .mean = mean.data(),
            .mean_square = mean_square.data(),
            .value = value.data()};
  }
};

TEST(AdamKernel, EveryTargetFollowsTheFormulas) {
  test::forEachTarget([](const Kernels& run) {
    Random random(7);
    for (std::size_t size : {0UL, 1UL, 7UL, 8UL, 9UL, 16UL, 31UL, 257UL}) {
      Numbers after(random, size);
      const Numbers before = after;
      run.adamStep(after.step());
      for (std::size_t i = 0; i < size; ++i) {
        const double g = before.gradient[i], b1 = kMomentum, b2 = kSquareMomentum;
        const double mean = b1 * before.mean[i] + (1 - b1) * g, square = b2 * before.mean_square[i] + (1 - b2) * g * g;
        EXPECT_NEAR(after.mean[i], mean, 1e-6);
        EXPECT_NEAR(after.mean_square[i], square, 1e-6);
        const double root = std::sqrt(double{kOwn} * square + double{kFloor}) + double{kEpsilon};
        EXPECT_NEAR(after.value[i], before.value[i] - double{kRate} * mean / root, 2e-6);
      }
    }
  });
}

TEST(AdamKernel, DoesNotChangeNumbersWithoutAFiniteGradient) {
  test::forEachTarget([](const Kernels& run) {
    Random random(8);
    for (std::size_t at = 0; at < 19; ++at)
      for (float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        Numbers numbers(random, 19);
        numbers.gradient[at] = bad;
        const Numbers before = numbers;
        run.adamStep(numbers.step());
        EXPECT_EQ(numbers.value[at], before.value[at]);
        EXPECT_EQ(numbers.mean[at], before.mean[at]);
        EXPECT_EQ(numbers.mean_square[at], before.mean_square[at]);
        for (std::size_t i = 0; i < 19; ++i) {
          EXPECT_TRUE(std::isfinite(numbers.value[i]));
          if (i != at) {
            EXPECT_NE(numbers.value[i], before.value[i]);
          }
        }
      }
  });
}

} // namespace
} // namespace skincells::kernels

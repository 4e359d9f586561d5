// Adam's inner loop in Highway against the scalar definition, for every instruction set.
#include "kernels/adam.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/targets.h"

namespace skincells::kernels {
namespace {

struct Numbers {
  std::vector<float> gradient, mean, mean_square, value;

  Numbers(Random& random, std::size_t size) : gradient(size), mean(size), mean_square(size), value(size) {
    for (std::size_t i = 0; i < size; ++i) {
      gradient[i] = static_cast<float>(random.uniform(-2, 2)), mean[i] = static_cast<float>(random.uniform(-1, 1));
      mean_square[i] = static_cast<float>(random.uniform(0, 1)), value[i] = static_cast<float>(random.uniform(-5, 5));
    }
  }
  AdamStep step() {
    return {gradient.size(), gradient.data(),    0.03F,       0.9F, 0.999F, 1e-8F,
            mean.data(),     mean_square.data(), value.data()};
  }
};

TEST(AdamKernel, EveryTargetAgreesWithTheDefinition) {
  test::forEachTarget([] {
    Random random(7);
    for (std::size_t size : {0UL, 1UL, 7UL, 8UL, 9UL, 16UL, 31UL, 257UL}) {
      Numbers fast(random, size), slow = fast;
      adamStep(fast.step());
      scalar::adamStep(slow.step());
      for (std::size_t i = 0; i < size; ++i) {
        EXPECT_NEAR(fast.mean[i], slow.mean[i], 1e-6F);
        EXPECT_NEAR(fast.mean_square[i], slow.mean_square[i], 1e-6F);
        EXPECT_NEAR(fast.value[i], slow.value[i], 2e-6F);
      }
    }
  });
}

TEST(AdamKernel, LeavesNumbersWithoutAFiniteGradientAlone) {
  test::forEachTarget([] {
    Random random(8);
    for (std::size_t at = 0; at < 19; ++at)
      for (float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        Numbers numbers(random, 19);
        numbers.gradient[at] = bad;
        const Numbers before = numbers;
        adamStep(numbers.step());
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

// The location and sparsity loops in Highway against the scalar definition, for every instruction set. What they
// compute is checked in tests/loss.
#include "kernels/row_terms.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/targets.h"

namespace skincells::kernels {
namespace {

constexpr std::uint32_t kJoints = 6;
constexpr float kLaneWeight[kQuad] = {0.25F, 0.5F, 0.25F, 0};

std::vector<float> numbers(Random& random, std::size_t count, double lo, double hi) {
  std::vector<float> out(count);
  for (float& v : out) v = static_cast<float>(random.uniform(lo, hi));
  return out;
}

void expectNear(const std::vector<float>& fast, const std::vector<float>& slow) {
  ASSERT_EQ(fast.size(), slow.size());
  for (std::size_t i = 0; i < fast.size(); ++i) EXPECT_NEAR(fast[i], slow[i], 2e-5F * (1 + std::abs(slow[i])));
}

TEST(AddSprings, EveryTargetAgreesWithTheDefinition) {
  test::forEachTarget([] {
    Random random(9);
    for (std::size_t n : {0UL, 1UL, 3UL, 4UL, 5UL, 17UL, 100UL}) {
      std::vector<std::uint32_t> begin = {0}, joint;
      for (std::size_t v = 0; v < n; ++v) begin.push_back(begin.back() + random.below(3));
      for (std::uint32_t s = 0; s < begin.back(); ++s) joint.push_back(random.below(kJoints));
      const auto springs = numbers(random, kSpringNumbers * joint.size(), 0.5, 2);
      const auto posed = numbers(random, n * kQuadVector, -2, 2);
      const auto matrices = numbers(random, kJoints * kQuadMatrix, -1, 1);
      std::vector<float> fast(n * kQuadVector, 0.5F), slow = fast;
      const SpringView view{begin.data(), joint.data(), springs.data()};
      const float a = addSprings(view, 0, n, posed.data(), matrices.data(), kLaneWeight, fast.data());
      const float b = scalar::addSprings(view, 0, n, posed.data(), matrices.data(), kLaneWeight, slow.data());
      EXPECT_NEAR(a, b, 1e-5F * (1 + b));
      expectNear(fast, slow);
    }
  });
}

TEST(AddTails, EveryTargetAgreesWithTheDefinition) {
  test::forEachTarget([] {
    Random random(10);
    for (std::size_t n : {0UL, 1UL, 3UL, 4UL, 5UL, 17UL, 100UL})
      for (int k : {1, 4, 8}) {
        std::vector<std::uint32_t> first, count;
        std::vector<std::uint16_t> joint;
        for (std::size_t v = 0; v < n; ++v) {
          first.push_back(static_cast<std::uint32_t>(joint.size())), count.push_back(random.below(11));
          for (std::uint32_t e = 0; e < count.back(); ++e)
            joint.push_back(static_cast<std::uint16_t>((v + e) % kJoints));
        }
        const auto weight = numbers(random, joint.size(), 0, 0.3), rest = numbers(random, 3 * n, -1, 1);
        const auto posed = numbers(random, n * kQuadVector, -2, 2);
        const auto matrices = numbers(random, kJoints * kQuadMatrix, -1, 1);
        const RowView rows{first.data(), count.data(), joint.data(), weight.data()};
        std::vector<float> fast(n * kQuadVector, 0.5F), slow = fast, fast_weight(joint.size(), 0.5F),
                                                        slow_weight = fast_weight;
        const float a = addTails(rows, k, 0.1F, 0, n, rest.data(), matrices.data(), posed.data(), kLaneWeight,
                                 fast.data(), fast_weight.data());
        const float b = scalar::addTails(rows, k, 0.1F, 0, n, rest.data(), matrices.data(), posed.data(), kLaneWeight,
                                         slow.data(), slow_weight.data());
        EXPECT_NEAR(a, b, 1e-5F * (1 + b));
        expectNear(fast, slow);
        expectNear(fast_weight, slow_weight);
      }
  });
}

} // namespace
} // namespace skincells::kernels

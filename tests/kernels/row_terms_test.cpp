// Every implementation of the location and sparsity loops against plain loops in float64. tests/loss checks the losses
// as a whole.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "skincells/math.h"
#include "support/targets.h"

namespace skincells::kernels {
namespace {

constexpr std::uint32_t kJoints = 6;
constexpr float kLaneWeight[kQuad] = {0.25F, 0.5F, 0.25F, 0};
constexpr float kBefore = 0.5F; // in the gradients, to which the kernels add

std::vector<float> numbers(Random& random, std::size_t count, double lo, double hi) {
  std::vector<float> out(count);
  for (float& v : out) v = static_cast<float>(random.uniform(lo, hi));
  return out;
}

// The vector of vertex v in pose p.
Vec3d vectorAt(const std::vector<float>& from, std::size_t v, std::size_t p) {
  const float* at = from.data() + v * kQuadVector + p;
  return {at[0], at[kQuad], at[2 * kQuad]};
}

void addAt(const Vec3d& value, std::size_t v, std::size_t p, std::vector<double>& to) {
  double* at = to.data() + v * kQuadVector + p;
  at[0] += value.x;
  at[kQuad] += value.y;
  at[2 * kQuad] += value.z;
}

Vec3d moved(const std::vector<float>& matrices, std::size_t joint, const float* point, std::size_t p) {
  const auto column = [&](std::size_t c) {
    const float* at = matrices.data() + joint * kQuadMatrix + c * kQuadVector + p;
    return Vec3d{at[0], at[kQuad], at[2 * kQuad]};
  };
  return column(0) * point[0] + column(1) * point[1] + column(2) * point[2] + column(3);
}

void expectNear(const std::vector<float>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 2e-5 * (1 + std::abs(expected[i])));
}

TEST(AddSprings, EveryTargetFollowsTheFormula) {
  test::forEachTarget([](const Kernels& run) {
    Random random(9);
    for (std::size_t n : {0UL, 1UL, 3UL, 4UL, 5UL, 17UL, 100UL}) {
      std::vector<std::uint32_t> begin = {0}, joint;
      for (std::size_t v = 0; v < n; ++v) begin.push_back(begin.back() + random.below(3));
      for (std::uint32_t s = 0; s < begin.back(); ++s) joint.push_back(random.below(kJoints));
      const auto springs = numbers(random, kSpringNumbers * joint.size(), 0.5, 2);
      auto posed = numbers(random, n * kQuadVector, -2, 2);
      const auto matrices = numbers(random, kJoints * kQuadMatrix, -1, 1);
      std::vector<float> gradient(posed.size(), kBefore);
      const float value = run.addSprings(
          {begin.data(), joint.data(), springs.data()},
          {.begin = 0, .end = n, .matrices = matrices.data(), .posed = posed.data(), .posed_gradient = gradient.data()},
          kLaneWeight);

      double expected = 0;
      std::vector<double> expected_gradient(posed.size(), double{kBefore});
      for (std::size_t v = 0; v < n; ++v)
        for (std::size_t s = begin[v]; s < begin[v + 1]; ++s)
          for (std::size_t p = 0; p < kQuad; ++p) {
            const float* spring = springs.data() + kSpringNumbers * s;
            const Vec3d off = vectorAt(posed, v, p) - moved(matrices, joint[s], spring, p);
            const double weight = kLaneWeight[p], inverse = spring[4];
            const double stretch = (length(off) - double{spring[3]}) * inverse;
            expected += weight * stretch * stretch;
            addAt(off * (2 * weight * stretch * inverse / length(off)), v, p, expected_gradient);
          }
      EXPECT_NEAR(value, expected, 1e-5 * (1 + expected));
      expectNear(gradient, expected_gradient);
    }
  });
}

struct TailSample {
  std::vector<std::uint32_t> first, count;
  std::vector<std::uint16_t> joint;
  std::vector<float> weight, rest, posed, matrices, posed_gradient, weight_gradient;

  TailSample(Random& random, std::size_t n) {
    for (std::size_t v = 0; v < n; ++v) {
      first.push_back(static_cast<std::uint32_t>(joint.size()));
      count.push_back(random.below(11));
      for (std::uint32_t e = 0; e < count.back(); ++e) joint.push_back(static_cast<std::uint16_t>((v + e) % kJoints));
    }
    weight = numbers(random, joint.size(), 0, 0.3);
    rest = numbers(random, 3 * n, -1, 1);
    posed = numbers(random, n * kQuadVector, -2, 2);
    matrices = numbers(random, kJoints * kQuadMatrix, -1, 1);
    posed_gradient.assign(posed.size(), kBefore);
    weight_gradient.assign(weight.size(), kBefore);
  }
  QuadRange<float> range() {
    return {.begin = 0,
            .end = first.size(),
            .rows = {first.data(), count.data(), joint.data(), weight.data()},
            .rest = rest.data(),
            .matrices = matrices.data(),
            .posed = posed.data(),
            .posed_gradient = posed_gradient.data(),
            .weight_gradient = weight_gradient.data()};
  }
};

// The same in float64; returns the value.
double addTailsExactly(const TailSample& sample, std::size_t k, double min_tail, std::vector<double>& posed_gradient,
                       std::vector<double>& weight_gradient) {
  double value = 0;
  for (std::size_t v = 0; v < sample.first.size(); ++v) {
    std::vector<std::size_t> entries(sample.count[v]);
    std::iota(entries.begin(), entries.end(), std::size_t{sample.first[v]});
    std::ranges::sort(entries, [&](std::size_t a, std::size_t b) {
      return std::pair(-sample.weight[a], sample.joint[a]) < std::pair(-sample.weight[b], sample.joint[b]);
    });
    double kept = 0, tail = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) (i < k ? kept : tail) += double{sample.weight[entries[i]]};
    if (entries.size() <= k || tail <= min_tail) continue;
    for (std::size_t p = 0; p < kQuad; ++p) {
      const auto movedBy = [&](std::size_t e) {
        return moved(sample.matrices, sample.joint[e], &sample.rest[3 * v], p);
      };
      Vec3d blend;
      for (std::size_t i = 0; i < k; ++i) blend += movedBy(entries[i]) * (double{sample.weight[entries[i]]} / kept);
      const Vec3d off = vectorAt(sample.posed, v, p) - blend;
      const double lane = kLaneWeight[p];
      value += lane * dot(off, off);
      addAt(off * (2 * lane), v, p, posed_gradient);
      for (std::size_t i = 0; i < k; ++i)
        weight_gradient[entries[i]] -= 2 * lane * dot(off, movedBy(entries[i]) - blend) / kept;
    }
  }
  return value;
}

TEST(AddTails, EveryTargetFollowsTheFormula) {
  test::forEachTarget([](const Kernels& run) {
    Random random(10);
    for (std::size_t n : {0UL, 1UL, 3UL, 4UL, 5UL, 17UL, 100UL})
      for (std::size_t k : {1UL, 4UL, 8UL}) {
        TailSample sample(random, n);
        std::vector<double> posed_gradient(sample.posed.size(), double{kBefore});
        std::vector<double> weight_gradient(sample.weight.size(), double{kBefore});
        const double expected = addTailsExactly(sample, k, 0.1, posed_gradient, weight_gradient);
        EXPECT_NEAR(run.addTails({k, 0.1F}, sample.range(), kLaneWeight), expected, 1e-5 * (1 + expected));
        expectNear(sample.posed_gradient, posed_gradient);
        expectNear(sample.weight_gradient, weight_gradient);
      }
  });
}

TEST(AddTails, OfEqualWeightsTheLowerJointCountsAsLarger) {
  test::forEachTarget([](const Kernels& run) {
    Random random(11);
    TailSample sample(random, 1);
    sample.count = {3};
    sample.joint = {4, 1, 2};
    sample.weight = {0.3F, 0.3F, 0.3F};
    sample.weight_gradient.assign(3, 0.0F);
    run.addTails({2, 0.1F}, sample.range(), kLaneWeight);
    EXPECT_EQ(sample.weight_gradient[0], 0.0F); // in the tail
    EXPECT_NE(sample.weight_gradient[1], 0.0F);
    EXPECT_NE(sample.weight_gradient[2], 0.0F);
  });
}

} // namespace
} // namespace skincells::kernels

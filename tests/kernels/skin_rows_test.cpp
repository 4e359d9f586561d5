// Every implementation of skinning and its derivative against plain loops in float64.
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/targets.h"

namespace skincells::kernels {
namespace {

struct Rows {
  std::vector<std::uint32_t> first, count;
  std::vector<std::uint16_t> joint;
  std::vector<float> weight, rest, matrices, posed, posed_gradient, weight_gradient;

  Rows(Random& random, std::size_t vertices, std::uint32_t joints) {
    const auto uniform = [&] { return static_cast<float>(random.uniform(-1, 1)); };
    for (std::size_t v = 0; v < vertices; ++v) {
      first.push_back(static_cast<std::uint32_t>(weight.size()));
      count.push_back(random.below(6)); // empty rows too
      for (std::uint32_t k = 0; k < count.back(); ++k) {
        joint.push_back(static_cast<std::uint16_t>(random.below(joints)));
        weight.push_back(uniform());
      }
    }
    for (std::size_t i = 0; i < 3 * vertices; ++i) rest.push_back(uniform());
    for (std::size_t i = 0; i < joints * kQuadMatrix; ++i) matrices.push_back(uniform());
    for (std::size_t i = 0; i < vertices * kQuadVector; ++i) posed_gradient.push_back(uniform());
    posed.assign(vertices * kQuadVector, 9.0F);
    weight_gradient.assign(weight.size(), 0.5F);
  }
  QuadRange<float> range(std::size_t begin, std::size_t end) {
    return {.begin = begin,
            .end = end,
            .rows = {first.data(), count.data(), joint.data(), weight.data()},
            .rest = rest.data(),
            .matrices = matrices.data(),
            .posed = posed.data(),
            .posed_gradient = posed_gradient.data(),
            .weight_gradient = weight_gradient.data()};
  }
  // The rest position of v as entry e's joint moves it; i: axis and pose.
  double moved(std::size_t v, std::size_t e, std::size_t i) const {
    double sum = matrices[joint[e] * kQuadMatrix + 3 * kQuadVector + i];
    for (std::size_t c = 0; c < 3; ++c)
      sum += double{matrices[joint[e] * kQuadMatrix + c * kQuadVector + i]} * double{rest[3 * v + c]};
    return sum;
  }
};

TEST(SkinRows, EveryTargetBlendsTheMovedPositions) {
  test::forEachTarget([](const Kernels& run) {
    Random random(6);
    for (std::size_t n : {0UL, 1UL, 3UL, 4UL, 5UL, 8UL, 16UL, 17UL, 32UL, 100UL}) {
      Rows r(random, n, 5);
      run.skinRows(r.range(0, n));
      run.skinRowsGradient(r.range(0, n));
      for (std::size_t v = 0; v < n; ++v) {
        for (std::size_t i = 0; i < kQuadVector; ++i) {
          double sum = 0;
          for (std::size_t e = r.first[v]; e < r.first[v] + r.count[v]; ++e)
            sum += double{r.weight[e]} * r.moved(v, e, i);
          EXPECT_NEAR(r.posed[v * kQuadVector + i], sum, 1e-5);
        }
        for (std::size_t e = r.first[v]; e < r.first[v] + r.count[v]; ++e) {
          double sum = 0.5;
          for (std::size_t i = 0; i < kQuadVector; ++i)
            sum += double{r.posed_gradient[v * kQuadVector + i]} * r.moved(v, e, i);
          EXPECT_NEAR(r.weight_gradient[e], sum, 2e-5);
        }
      }
    }
  });
}

TEST(SkinRows, WritesOnlyTheRange) {
  test::forEachTarget([](const Kernels& run) {
    Random random(7);
    Rows r(random, 6, 3);
    run.skinRows(r.range(2, 4));
    for (std::size_t i = 0; i < r.posed.size(); ++i) {
      const bool inside = i / kQuadVector == 2 || i / kQuadVector == 3;
      if (!inside) {
        EXPECT_EQ(r.posed[i], 9.0F);
      }
    }
  });
}

} // namespace
} // namespace skincells::kernels

// Skinning and its derivative in Highway against the scalar definition, for every instruction set.
#include "kernels/skin_rows.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/targets.h"

namespace skincells::kernels {
namespace {

struct Rows {
  std::vector<std::uint32_t> first, count;
  std::vector<std::uint16_t> joint;
  std::vector<float> weight, rest, matrices, gradient;

  Rows(Random& random, std::size_t vertices, std::uint32_t joints) {
    const auto uniform = [&] { return static_cast<float>(random.uniform(-1, 1)); };
    for (std::size_t v = 0; v < vertices; ++v) {
      first.push_back(static_cast<std::uint32_t>(weight.size()));
      count.push_back(random.below(6)); // empty rows too
      for (std::uint32_t k = 0; k < count.back(); ++k)
        joint.push_back(static_cast<std::uint16_t>(random.below(joints))), weight.push_back(uniform());
    }
    for (std::size_t i = 0; i < 3 * vertices; ++i) rest.push_back(uniform());
    for (std::size_t i = 0; i < joints * kQuadMatrix; ++i) matrices.push_back(uniform());
    for (std::size_t i = 0; i < vertices * kQuadVector; ++i) gradient.push_back(uniform());
  }
  RowView view() const { return {first.data(), count.data(), joint.data(), weight.data()}; }
};

TEST(SkinRows, EveryTargetAgreesWithTheDefinition) {
  test::forEachTarget([] {
    Random random(6);
    for (std::size_t n : {0UL, 1UL, 3UL, 4UL, 5UL, 8UL, 16UL, 17UL, 32UL, 100UL}) {
      const Rows r(random, n, 5);
      std::vector<float> fast(n * kQuadVector), slow(n * kQuadVector);
      skinRows(r.view(), 0, n, r.rest.data(), r.matrices.data(), fast.data());
      scalar::skinRows(r.view(), 0, n, r.rest.data(), r.matrices.data(), slow.data());
      for (std::size_t i = 0; i < fast.size(); ++i) EXPECT_NEAR(fast[i], slow[i], 1e-5F);

      std::vector<float> fast_g(r.weight.size(), 0.5F), slow_g(r.weight.size(), 0.5F);
      skinRowsGradient(r.view(), 0, n, r.rest.data(), r.matrices.data(), r.gradient.data(), fast_g.data());
      scalar::skinRowsGradient(r.view(), 0, n, r.rest.data(), r.matrices.data(), r.gradient.data(), slow_g.data());
      for (std::size_t i = 0; i < fast_g.size(); ++i) EXPECT_NEAR(fast_g[i], slow_g[i], 2e-5F);
    }
  });
}

TEST(SkinRows, OnlyTheAskedRowsAreWritten) {
  Random random(7);
  const Rows r(random, 6, 3);
  std::vector<float> posed(6 * kQuadVector, 9.0F);
  skinRows(r.view(), 2, 4, r.rest.data(), r.matrices.data(), posed.data());
  for (std::size_t i = 0; i < posed.size(); ++i) {
    const bool asked = i / kQuadVector == 2 || i / kQuadVector == 3;
    if (!asked) {
      EXPECT_EQ(posed[i], 9.0F);
    }
  }
}

} // namespace
} // namespace skincells::kernels

// The smoothness loops in Highway against the scalar definition, for every instruction set.
#include "kernels/smoothness.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/targets.h"

namespace skincells::kernels {
namespace {

// A closed ring of vertices, each with its next two and last two as neighbors and two triangles; every seventh
// vertex has no frame.
struct Ring {
  std::vector<std::uint32_t> ring_begin = {0}, ring, fan_begin = {0}, fan, reference;
  std::vector<float> inverse_degree, detail, posed;

  Ring(Random& random, std::uint32_t count) {
    const auto uniform = [&] { return static_cast<float>(random.uniform(-1, 1)); };
    for (std::uint32_t v = 0; v < count; ++v) {
      for (std::uint32_t step : {1U, 2U, count - 1, count - 2}) ring.push_back((v + step) % count);
      ring_begin.push_back(static_cast<std::uint32_t>(ring.size()));
      fan.insert(fan.end(), {0, 1, 3, 2});
      fan_begin.push_back(static_cast<std::uint32_t>(fan.size() / 2));
      reference.push_back(v % 7 == 6 ? kNoFrame : v % 4);
      inverse_degree.push_back(0.25F);
      for (int i = 0; i < 3; ++i) detail.push_back(uniform());
      for (int i = 0; i < 12; ++i) posed.push_back(uniform());
    }
  }
  SmoothnessView view() const {
    return {ring_begin.data(), ring.data(),           fan_begin.data(), fan.data(),
            reference.data(),  inverse_degree.data(), detail.data()};
  }
};

TEST(SmoothnessKernels, EveryTargetAgreesWithTheDefinition) {
  test::forEachTarget([] {
    Random random(8);
    for (std::uint32_t n : {0U, 5U, 7U, 8U, 9U, 16U, 17U, 100U}) {
      const Ring ring(random, n);
      const float lane_weight[4] = {0.25F, 0.5F, 0.25F, 0};
      std::vector<float> scratch(4 * 12), fast(12 * n), slow(12 * n), fast_g(12 * n, 1.0F), slow_g(12 * n, 2.0F);
      const float a = smoothnessForces(ring.view(), 0, n, ring.posed.data(), lane_weight, scratch.data(), fast.data());
      const float b =
          scalar::smoothnessForces(ring.view(), 0, n, ring.posed.data(), lane_weight, scratch.data(), slow.data());
      EXPECT_NEAR(a, b, 1e-5F * (1 + b));
      transposedLaplacian(ring.view(), 0, n, fast.data(), fast_g.data());
      scalar::transposedLaplacian(ring.view(), 0, n, slow.data(), slow_g.data());
      for (std::size_t i = 0; i < fast.size(); ++i) {
        EXPECT_NEAR(fast[i], slow[i], 1e-4F);
        EXPECT_NEAR(fast_g[i], slow_g[i], 1e-4F);
      }
    }
  });
}

} // namespace
} // namespace skincells::kernels

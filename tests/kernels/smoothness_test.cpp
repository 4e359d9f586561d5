// Every implementation of the smoothness loops against plain loops in float64.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "skincells/math.h"
#include "support/targets.h"

namespace skincells::kernels {
namespace {

constexpr float kLaneWeight[kQuad] = {0.25F, 0.5F, 0.25F, 0};

// Vertices on a closed ring. Each has the next two and the previous two as neighbors, and two triangles; every seventh
// has no frame.
struct Ring {
  std::vector<std::uint32_t> ring_begin = {0}, ring, fan_begin = {0}, fan, reference;
  std::vector<float> inverse_degree, detail, posed, force, posed_gradient;

  Ring(Random& random, std::uint32_t count) : force(kQuadVector * count), posed_gradient(kQuadVector * count, 1.0F) {
    const auto uniform = [&] { return static_cast<float>(random.uniform(-1, 1)); };
    for (std::uint32_t v = 0; v < count; ++v) {
      for (std::uint32_t step : {1U, 2U, count - 1, count - 2}) ring.push_back((v + step) % count);
      ring_begin.push_back(static_cast<std::uint32_t>(ring.size()));
      fan.insert(fan.end(), {0, 1, 3, 2});
      fan_begin.push_back(static_cast<std::uint32_t>(fan.size() / 2));
      reference.push_back(v % 7 == 6 ? kNoFrame : v % 4);
      inverse_degree.push_back(0.25F);
      for (int i = 0; i < 3; ++i) detail.push_back(uniform());
      for (std::size_t i = 0; i < kQuadVector; ++i) posed.push_back(uniform());
    }
  }
  SmoothnessView<float> view() const {
    return {ring_begin.data(), ring.data(),           fan_begin.data(), fan.data(),
            reference.data(),  inverse_degree.data(), detail.data()};
  }
  QuadRange<float> range() {
    return {.begin = 0,
            .end = reference.size(),
            .posed = posed.data(),
            .force = force.data(),
            .posed_gradient = posed_gradient.data()};
  }

  // Edge k of vertex v in pose p.
  Vec3d edge(std::size_t v, std::size_t k, std::size_t p) const {
    const auto at = [&](std::size_t i) {
      const float* x = posed.data() + i * kQuadVector + p;
      return Vec3d{x[0], x[kQuad], x[2 * kQuad]};
    };
    return at(ring[ring_begin[v] + k]) - at(v);
  }
  Vec3d residual(std::size_t v, std::size_t p) const {
    const Vec3d mean = (edge(v, 0, p) + edge(v, 1, p) + edge(v, 2, p) + edge(v, 3, p)) * 0.25;
    const Vec3d n = normalized(cross(edge(v, 0, p), edge(v, 1, p)) + cross(edge(v, 3, p), edge(v, 2, p)));
    const Vec3d along = edge(v, reference[v], p), t = normalized(along - n * dot(along, n));
    return mean - t * detail[3 * v] - cross(n, t) * detail[3 * v + 1] - n * detail[3 * v + 2];
  }
};

TEST(SmoothnessKernels, EveryTargetFollowsTheFormulas) {
  test::forEachTarget([](const Kernels& run) {
    Random random(8);
    for (std::uint32_t n : {0U, 5U, 7U, 8U, 9U, 16U, 17U, 100U}) {
      Ring ring(random, n);
      std::vector<float> scratch(4 * kQuadVector);
      const float value = run.smoothnessForces(ring.view(), ring.range(), kLaneWeight, scratch.data());
      run.transposedLaplacian(ring.view(), ring.range());

      double expected = 0;
      std::vector<double> force(ring.force.size()), gradient(ring.force.size());
      for (std::size_t v = 0; v < n; ++v)
        for (std::size_t p = 0; p < kQuad; ++p) {
          const Vec3d r = ring.reference[v] == kNoFrame ? Vec3d{} : ring.residual(v, p);
          const double weight = kLaneWeight[p], along[3] = {r.x, r.y, r.z};
          expected += weight * dot(r, r);
          for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::size_t i = axis * kQuad + p;
            force[v * kQuadVector + i] = 2 * weight * along[axis];
            gradient[v * kQuadVector + i] -= 2 * weight * along[axis];
            for (std::size_t k = 0; k < 4; ++k)
              gradient[ring.ring[ring.ring_begin[v] + k] * kQuadVector + i] += 0.25 * 2 * weight * along[axis];
          }
        }
      EXPECT_NEAR(value, expected, 1e-5 * (1 + expected));
      for (std::size_t i = 0; i < force.size(); ++i) {
        EXPECT_NEAR(ring.force[i], force[i], 1e-4);
        EXPECT_NEAR(ring.posed_gradient[i], gradient[i], 1e-4);
      }
    }
  });
}

} // namespace
} // namespace skincells::kernels

// The field's reverse pass in Highway against the scalar definition, for every instruction set.
#include "kernels/field_reverse.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/targets.h"

namespace skincells::kernels {
namespace {

constexpr std::size_t kJoints = 5, kSites = 3;

struct Sample {
  std::vector<float> position, weight, gradient, centre, offset, falloff, site_sums, joint_sums;
  std::vector<std::uint32_t> count;
  std::vector<std::uint16_t> joint;
  std::vector<EntryTrace> trace;
  std::vector<ReferenceTrace> reference;
  std::vector<std::uint8_t> touched = std::vector<std::uint8_t>(kJoints);

  Sample(Random& random, std::size_t points) : site_sums(kJoints * kSites * kSiteSums, 9.0F), joint_sums(kJoints * 2) {
    const auto uniform = [&](double lo, double hi) { return static_cast<float>(random.uniform(lo, hi)); };
    for (std::size_t s = 0; s < kJoints * kSites; ++s) {
      centre.insert(centre.end(), {uniform(0, 1), uniform(0, 1), uniform(0, 1), 0.0F});
      offset.push_back(uniform(0.01, 0.3));
    }
    for (std::size_t j = 0; j < kJoints; ++j) falloff.push_back(uniform(1, 5));
    for (std::size_t i = 0; i < points; ++i) {
      position.insert(position.end(), {uniform(0, 1), uniform(0, 1), uniform(0, 1), 0.0F});
      count.push_back(random.below(4)); // empty rows too
      for (std::uint32_t k = 0; k < count.back(); ++k) {
        const auto j = static_cast<std::uint16_t>(random.below(kJoints - 1)); // the last joint stays untouched
        joint.push_back(j), weight.push_back(uniform(0, 1)), gradient.push_back(uniform(-1, 1));
        trace.push_back({uniform(-3, 3), uniform(2, 20), uniform(-9, 0), k == 1 ? 0.0F : uniform(1, 5),
                         static_cast<std::uint32_t>(j * kSites + random.below(kSites))});
      }
      const auto j = static_cast<std::uint16_t>(random.below(kJoints - 1));
      reference.push_back({uniform(1, 5), i % 5 == 4 ? kNoSite : static_cast<std::uint32_t>(j * kSites), j});
    }
  }
  ReverseRun view() {
    return {.points = count.size(),
            .position = position.data(),
            .count = count.data(),
            .reference = reference.data(),
            .joint = joint.data(),
            .weight = weight.data(),
            .trace = trace.data(),
            .gradient = gradient.data(),
            .site_count = kSites,
            .centre = centre.data(),
            .offset = offset.data(),
            .falloff = falloff.data(),
            .site_sums = site_sums.data(),
            .joint_sums = joint_sums.data(),
            .touched = touched.data()};
  }
};

TEST(ReverseRun, EveryTargetAgreesWithTheDefinition) {
  test::forEachTarget([] {
    Random random(8);
    for (std::size_t points : {0UL, 1UL, 3UL, 4UL, 5UL, 17UL, 100UL}) {
      Sample fast(random, points), slow = fast;
      reverseRun(fast.view());
      scalar::reverseRun(slow.view());
      EXPECT_EQ(fast.touched, slow.touched);
      EXPECT_EQ(fast.touched[kJoints - 1], 0);
      for (std::size_t i = 0; i < fast.site_sums.size(); ++i) {
        const bool unused = i % kSiteSums > 4 && i % 4 == 3;
        if (!unused) {
          EXPECT_NEAR(fast.site_sums[i], slow.site_sums[i], 1e-4F * (1 + std::abs(slow.site_sums[i])));
        }
      }
      for (std::size_t i = 0; i < fast.joint_sums.size(); ++i)
        EXPECT_NEAR(fast.joint_sums[i], slow.joint_sums[i], 1e-4F * (1 + std::abs(slow.joint_sums[i])));
    }
  });
}

} // namespace
} // namespace skincells::kernels

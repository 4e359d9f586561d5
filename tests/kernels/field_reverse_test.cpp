// The field's reverse pass in Highway against the scalar definition, for every instruction set.
#include "kernels/field_reverse.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/targets.h"

namespace skincells::kernels {
namespace {

constexpr std::size_t kJoints = 6, kSites = 3;

struct Sample {
  BlockPoints points{};
  std::vector<float> distance, log_raw, weight, gradient, reference2, center, offset, falloff, slack;
  std::vector<float> by_distance, inverse_distance, site_sums, joint_sums;
  std::vector<std::uint32_t> joint, kept, at_reference;
  std::vector<std::int32_t> site;
  std::vector<std::uint8_t> touched = std::vector<std::uint8_t>(kJoints);
  bool cuts;

  // The last joint has no cell; the one before has a cell that no point keeps.
  Sample(Random& random, std::size_t cells, bool with_cuts)
      : site_sums(kJoints * kSites * kSiteSums, 9.0F), joint_sums(kJoints * kJointSums, 9.0F), cuts(with_cuts) {
    const auto uniform = [&](double lo, double hi) { return static_cast<float>(random.uniform(lo, hi)); };
    for (std::size_t s = 0; s < kJoints * kSites; ++s) {
      center.insert(center.end(), {uniform(0, 1), uniform(0, 1), uniform(0, 1), 0.0F});
      offset.push_back(uniform(0.01, 0.3));
    }
    for (std::size_t j = 0; j < kJoints; ++j) falloff.push_back(uniform(1, 5)), slack.push_back(uniform(0.01, 0.2));
    for (std::size_t i = 0; i < kBlock; ++i) {
      points.x[i] = uniform(0, 1), points.y[i] = uniform(0, 1), points.z[i] = uniform(0, 1);
      reference2.push_back(uniform(0.2, 0.6));
    }
    for (std::size_t a = 0; a < cells; ++a) {
      joint.push_back(static_cast<std::uint32_t>(a));
      kept.push_back(0), at_reference.push_back(0);
      for (std::size_t i = 0; i < kBlock; ++i) {
        const bool keep = a + 2 < kJoints && random.below(3) != 0;
        if (keep) kept.back() |= 1U << i;
        distance.push_back(uniform(0.05, 0.8)), log_raw.push_back(uniform(-3, 3));
        weight.push_back(keep ? uniform(0, 1) : 0.0F), gradient.push_back(keep ? uniform(-1, 1) : 0.0F);
        site.push_back(static_cast<std::int32_t>(a * kSites + random.below(kSites)));
      }
    }
    if (cells > 0)
      for (std::size_t i = 0; i < kBlock; i += 3)
        at_reference[random.below(static_cast<std::uint32_t>(cells))] |= 1U << i;
    by_distance.resize(distance.size()), inverse_distance.resize(distance.size());
  }
  ReverseBlock view() {
    return {.points = &points,
            .cells = joint.size(),
            .joint = joint.data(),
            .keep = kept.data(),
            .at_reference = at_reference.data(),
            .distance = distance.data(),
            .log_raw = log_raw.data(),
            .weight = weight.data(),
            .gradient = gradient.data(),
            .site = site.data(),
            .reference2 = reference2.data(),
            .cuts = cuts,
            .site_count = kSites,
            .center = center.data(),
            .offset = offset.data(),
            .falloff = falloff.data(),
            .slack = slack.data(),
            .by_distance = by_distance.data(),
            .inverse_distance = inverse_distance.data(),
            .site_sums = site_sums.data(),
            .joint_sums = joint_sums.data(),
            .touched = touched.data()};
  }
};

void expectNear(const std::vector<float>& fast, const std::vector<float>& slow, std::size_t per_joint,
                const std::vector<std::uint8_t>& touched) {
  const auto fills_up = [&](std::size_t i) { return per_joint > kJointSums && i % kSiteSums >= 10; };
  for (std::size_t i = 0; i < fast.size(); ++i)
    if (touched[i / per_joint] != 0 && !fills_up(i)) {
      EXPECT_NEAR(fast[i], slow[i], 1e-4F * (1 + std::abs(slow[i])));
    }
}

TEST(ReverseBlock, EveryTargetAgreesWithTheDefinition) {
  test::forEachTarget([] {
    Random random(8);
    for (bool cuts : {false, true})
      for (std::size_t cells = 0; cells < kJoints; ++cells) {
        Sample fast(random, cells, cuts), slow = fast;
        reverseBlock(fast.view());
        scalar::reverseBlock(slow.view());
        EXPECT_EQ(fast.touched, slow.touched);
        EXPECT_EQ(fast.touched[kJoints - 1], 0);
        expectNear(fast.site_sums, slow.site_sums, kSites * kSiteSums, slow.touched);
        expectNear(fast.joint_sums, slow.joint_sums, kJointSums, slow.touched);
      }
  });
}

} // namespace
} // namespace skincells::kernels

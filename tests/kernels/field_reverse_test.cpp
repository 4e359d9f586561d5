// Every implementation of the field's reverse pass against the chain rule in float64.
#include <algorithm>
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
  BlockNormals normals{};
  bool has_normals;
  std::vector<float> distance, log_raw, weight, gradient, reference2, center, offset, falloff, slack;
  std::vector<float> by_distance, inverse_distance, site_sums, joint_sums, front_sums, front;
  std::vector<std::uint32_t> joint, kept, at_reference;
  std::vector<std::int32_t> site;
  std::vector<std::uint8_t> touched = std::vector<std::uint8_t>(kJoints);
  bool cuts;

  // The last joint has no cell; the one before has a cell that no point keeps.
  Sample(Random& random, std::size_t cells, bool with_cuts, bool with_normals)
      : has_normals(with_normals), site_sums(kJoints * kSites * kSiteSums, 9.0F),
        joint_sums(kJoints * kJointSums, 9.0F), front_sums(kJoints * kSites * kFrontSums, 9.0F), cuts(with_cuts) {
    const auto uniform = [&](double lo, double hi) { return static_cast<float>(random.uniform(lo, hi)); };
    for (std::size_t s = 0; s < kJoints * kSites; ++s) {
      center.insert(center.end(), {uniform(0, 1), uniform(0, 1), uniform(0, 1), 0.0F});
      offset.push_back(uniform(0.01, 0.3));
    }
    for (std::size_t j = 0; j < kJoints; ++j) {
      falloff.push_back(uniform(1, 5));
      slack.push_back(uniform(0.01, 0.2));
      front.push_back(uniform(0.2, 3));
    }
    for (std::size_t i = 0; i < kBlock; ++i) {
      for (float* axis : {points.x, points.y, points.z}) axis[i] = uniform(0, 1);
      for (float* axis : {normals.x, normals.y, normals.z}) axis[i] = i % 5 == 0 ? 0 : uniform(-0.57, 0.57);
      reference2.push_back(uniform(0.2, 0.6));
    }
    for (std::size_t a = 0; a < cells; ++a) {
      joint.push_back(static_cast<std::uint32_t>(a));
      kept.push_back(0);
      at_reference.push_back(0);
      for (std::size_t i = 0; i < kBlock; ++i) {
        const bool keep = a + 2 < kJoints && random.below(3) != 0;
        if (keep) kept.back() |= 1U << i;
        distance.push_back(uniform(0.05, 0.8));
        log_raw.push_back(uniform(-3, 3));
        weight.push_back(keep ? uniform(0, 1) : 0.0F);
        gradient.push_back(keep ? uniform(-1, 1) : 0.0F);
        site.push_back(static_cast<std::int32_t>(a * kSites + random.below(kSites)));
      }
    }
    if (cells > 0)
      for (std::size_t i = 0; i < kBlock; i += 3)
        at_reference[random.below(static_cast<std::uint32_t>(cells))] |= 1U << i;
    by_distance.resize(distance.size());
    inverse_distance.resize(distance.size());
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
            .front = {has_normals ? &normals : nullptr, front.data()},
            .by_distance = by_distance.data(),
            .inverse_distance = inverse_distance.data(),
            .site_sums = site_sums.data(),
            .joint_sums = joint_sums.data(),
            .front_sums = has_normals ? front_sums.data() : nullptr,
            .touched = touched.data()};
  }
};

// The sums of all sites and joints.
struct Sums {
  std::vector<double> sites = std::vector<double>(kJoints * kSites * kSiteSums);
  std::vector<double> joints = std::vector<double>(kJoints * kJointSums);
  std::vector<double> fronts = std::vector<double>(kJoints * kSites * kFrontSums);
  std::vector<std::uint8_t> touched = std::vector<std::uint8_t>(kJoints);

  // The derivative g in the distance h (1 + k cos) passes through cos = n . (p - x) / |p - x|, of which the derivative
  // in p is (n - cos (p - x) / |p - x|) / |p - x|. Returns the factor.
  double addFactor(const Sample& sample, std::size_t cell, std::size_t i, double g) {
    const auto site = static_cast<std::size_t>(sample.site[cell * kBlock + i]);
    const double n[] = {sample.normals.x[i], sample.normals.y[i], sample.normals.z[i]};
    double to[] = {-double{sample.points.x[i]}, -double{sample.points.y[i]}, -double{sample.points.z[i]}};
    for (std::size_t a = 0; a < 3; ++a) to[a] += double{sample.center[4 * site + a]};
    const double length = std::sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
    const double cosine = (n[0] * to[0] + n[1] * to[1] + n[2] * to[2]) / length;
    if (!sample.has_normals || cosine <= 0) return 1;
    const double k = sample.front[sample.joint[cell]], factor = 1 + k * cosine;
    const double h = double{sample.distance[cell * kBlock + i]} / factor;
    for (std::size_t a = 0; a < 3; ++a)
      fronts[site * kFrontSums + a] += g * h * k * (n[a] - cosine * to[a] / length) / length;
    fronts[site * kFrontSums + 3] += g * h * k * cosine;
    return factor;
  }

  // The derivative g in the distance of point i to a cell.
  void addDistance(const Sample& sample, std::size_t cell, std::size_t i, double g) {
    const auto site = static_cast<std::size_t>(sample.site[cell * kBlock + i]);
    const double factor = addFactor(sample, cell, i, g);
    g *= factor;
    const double h = double{sample.distance[cell * kBlock + i]} / factor, t = sample.offset[site];
    const bool smoothed = h < t;
    // h = d, or h = (d^2 / t + t) / 2 within t: dh / d(d^2) = 1 / (2 d) or 1 / (2 t), dh / dt = (1 - d^2 / t^2) / 2.
    const double squared = smoothed ? 2 * h * t - t * t : h * h;
    const double by_squared = 2 * g / (2 * (smoothed ? t : std::sqrt(squared)));
    const double by_log_offset = smoothed ? g * t * (1 - squared / (t * t)) / 2 : 0;
    const float* p = &sample.center[4 * site];
    const double x = double{sample.points.x[i]} - double{p[0]}, y = double{sample.points.y[i]} - double{p[1]};
    const double z = double{sample.points.z[i]} - double{p[2]};
    const double terms[] = {by_squared * x,     by_squared * y,     by_squared * z,     by_log_offset,
                            by_squared * x * x, by_squared * x * y, by_squared * x * z, by_squared * y * y,
                            by_squared * y * z, by_squared * z * z};
    for (std::size_t c = 0; c < std::size(terms); ++c) sites[site * kSiteSums + c] += terms[c];
    touched[sample.joint[cell]] = 1;
  }

  // From dL/dw of point i: w = softmax(log_raw), log_raw = r log(max(c, D - d) / d), or -r log d without cuts.
  void addPoint(const Sample& sample, std::size_t i) {
    double mean = 0, by_reference = 0;
    for (std::size_t at = i; at < sample.weight.size(); at += kBlock)
      mean += double{sample.weight[at]} * double{sample.gradient[at]};
    for (std::size_t cell = 0; cell < sample.joint.size(); ++cell) {
      const std::size_t at = cell * kBlock + i, j = sample.joint[cell];
      const double g = double{sample.weight[at]} * (double{sample.gradient[at]} - mean), r = sample.falloff[j];
      if (g == 0) continue;
      const double d = sample.distance[at], above = std::sqrt(double{sample.reference2[i]}) - d;
      const bool slack_decides = above <= double{sample.slack[j]};
      joints[j * kJointSums + 1] += g * double{sample.log_raw[at]};
      if (sample.cuts && slack_decides) joints[j * kJointSums] += g * r;
      const double through_above = sample.cuts && !slack_decides ? g * r / above : 0;
      by_reference += through_above;
      addDistance(sample, cell, i, -g * r / d - through_above);
    }
    for (std::size_t cell = 0; cell < sample.joint.size(); ++cell)
      if ((sample.at_reference[cell] >> i & 1U) != 0 && by_reference != 0) addDistance(sample, cell, i, by_reference);
  }
};

void expectNear(const std::vector<float>& found, const std::vector<double>& expected, std::size_t per_joint,
                const std::vector<std::uint8_t>& touched) {
  const auto is_padding = [&](std::size_t i) { return per_joint == kSites * kSiteSums && i % kSiteSums >= 10; };
  for (std::size_t i = 0; i < found.size(); ++i)
    if (touched[i / per_joint] != 0 && !is_padding(i)) {
      EXPECT_NEAR(found[i], expected[i], 1e-4 * (1 + std::abs(expected[i])));
    }
}

TEST(ReverseBlock, EveryTargetFollowsTheChainRule) {
  test::forEachTarget([](const Kernels& run) {
    Random random(8);
    for (int kind : {0, 1, 2, 3})
      for (std::size_t cells = 0; cells < kJoints; ++cells) {
        Sample sample(random, cells, kind % 2 == 1, kind >= 2);
        Sums expected;
        for (std::size_t i = 0; i < kBlock; ++i) expected.addPoint(sample, i);
        run.reverseBlock(sample.view());
        EXPECT_EQ(sample.touched, expected.touched);
        EXPECT_EQ(sample.touched[kJoints - 1], 0);
        expectNear(sample.site_sums, expected.sites, kSites * kSiteSums, expected.touched);
        expectNear(sample.joint_sums, expected.joints, kJointSums, expected.touched);
        if (sample.has_normals) expectNear(sample.front_sums, expected.fronts, kSites * kFrontSums, expected.touched);
      }
  });
}

} // namespace
} // namespace skincells::kernels

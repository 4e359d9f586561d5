// Every implementation of the field's hot loops against plain loops in float64, with buffers of exactly the size that
// the contract requires.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/targets.h"

namespace skincells::kernels {
namespace {

constexpr std::size_t kCounts[] = {0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 32, 100};

float uniform(Random& random, double lo, double hi) {
  return static_cast<float>(random.uniform(lo, hi));
}

SiteForm randomForm(Random& random) {
  SiteForm f{};
  for (float* diagonal : {&f.l00, &f.l11, &f.l22}) *diagonal = uniform(random, 0.5, 2);
  for (float* below : {&f.l10, &f.l20, &f.l21}) *below = uniform(random, -0.5, 0.5);
  for (float* b : {&f.b0, &f.b1, &f.b2}) *b = uniform(random, -1, 1);
  const float t = uniform(random, 0.01, 0.5);
  f.t2 = t * t;
  f.k = 0.25F / f.t2;
  return f;
}

BlockPoints randomBlock(Random& random) {
  BlockPoints p{};
  for (std::size_t i = 0; i < kBlock; ++i)
    for (float* axis : {p.x, p.y, p.z}) axis[i] = uniform(random, 0, 1);
  return p;
}

// The smoothed distance as it is defined, with a branch and roots.
double distance(const SiteForm& f, double x, double y, double z) {
  const double a = f.l00 * x + f.b0, b = f.l10 * x + f.l11 * y + f.b1, c = f.l20 * x + f.l21 * y + f.l22 * z + f.b2;
  const double d = std::sqrt(a * a + b * b + c * c), t = std::sqrt(double{f.t2});
  return d >= t ? d : (d * d / t + t) / 2;
}

TEST(CellDistances, EveryTargetFindsTheNearestSite) {
  test::forEachTarget([](const Kernels& run) {
    Random random(3);
    for (std::size_t count : kCounts) {
      const std::size_t m = 1 + random.below(6);
      std::vector<SiteForm> forms((count + 3) * m);
      for (SiteForm& f : forms) f = randomForm(random);
      std::vector<std::uint32_t> joints;
      for (std::size_t a = 0; a < count; ++a) joints.push_back(static_cast<std::uint32_t>((a * 7 + 3) % (count + 3)));
      const BlockPoints points = randomBlock(random);
      std::vector<float> squared(count * kBlock);
      std::vector<std::int32_t> site(count * kBlock);
      run.cellDistances({.forms = forms.data(),
                         .site_count = m,
                         .joints = joints,
                         .points = &points,
                         .squared = squared.data(),
                         .site = site.data()});
      for (std::size_t at = 0; at < squared.size(); ++at) {
        const std::size_t i = at % kBlock, first = joints[at / kBlock] * m, found = static_cast<std::size_t>(site[at]);
        const auto squaredAt = [&](std::size_t e) {
          return std::pow(distance(forms[e], points.x[i], points.y[i], points.z[i]), 2);
        };
        double expected = squaredAt(first);
        for (std::size_t e = first + 1; e < first + m; ++e) expected = std::min(expected, squaredAt(e));
        EXPECT_NEAR(squared[at], expected, 2e-6 * (1 + expected));
        ASSERT_TRUE(found >= first && found < first + m);
        EXPECT_NEAR(squaredAt(found), expected, 2e-6 * (1 + expected));
      }
    }
  });
}

BlockNormals randomNormals(Random& random) {
  BlockNormals n{};
  for (std::size_t i = 0; i < kBlock; ++i)
    for (float* axis : {n.x, n.y, n.z}) axis[i] = i % 5 == 0 ? 0 : uniform(random, -0.57, 0.57);
  return n;
}

TEST(CellDistances, EveryTargetPutsTheFactorOnSitesInFront) {
  test::forEachTarget([](const Kernels& run) {
    Random random(5);
    for (std::size_t count : kCounts) {
      const std::size_t m = 1 + random.below(6);
      std::vector<SiteForm> forms(count * m);
      std::vector<float> center, factor;
      for (SiteForm& f : forms) {
        f = randomForm(random);
        center.insert(center.end(), {uniform(random, 0, 1), uniform(random, 0, 1), uniform(random, 0, 1), 0.0F});
      }
      std::vector<std::uint32_t> joints;
      for (std::size_t a = 0; a < count; ++a) {
        joints.push_back(static_cast<std::uint32_t>(count - 1 - a));
        factor.push_back(uniform(random, 0, 3));
      }
      const BlockPoints points = randomBlock(random);
      const BlockNormals normals = randomNormals(random);
      std::vector<float> squared(count * kBlock);
      std::vector<std::int32_t> site(count * kBlock);
      run.cellDistances({.forms = forms.data(),
                         .site_count = m,
                         .joints = joints,
                         .points = &points,
                         .front = {&normals, factor.data()},
                         .center = center.data(),
                         .squared = squared.data(),
                         .site = site.data()});
      for (std::size_t at = 0; at < squared.size(); ++at) {
        const std::size_t i = at % kBlock, j = joints[at / kBlock];
        const auto squaredAt = [&](std::size_t e) {
          const double x = double{center[4 * e]} - double{points.x[i]},
                       y = double{center[4 * e + 1]} - double{points.y[i]};
          const double z = double{center[4 * e + 2]} - double{points.z[i]};
          const double toward = double{normals.x[i]} * x + double{normals.y[i]} * y + double{normals.z[i]} * z;
          const double cosine = std::max(0.0, toward / std::sqrt(x * x + y * y + z * z));
          return std::pow(distance(forms[e], points.x[i], points.y[i], points.z[i]) * (1 + double{factor[j]} * cosine),
                          2);
        };
        double expected = squaredAt(j * m);
        for (std::size_t e = j * m + 1; e < (j + 1) * m; ++e) expected = std::min(expected, squaredAt(e));
        EXPECT_NEAR(squared[at], expected, 4e-6 * (1 + expected));
        const auto found = static_cast<std::size_t>(site[at]);
        ASSERT_TRUE(found >= j * m && found < (j + 1) * m);
        EXPECT_NEAR(squaredAt(found), expected, 4e-6 * (1 + expected));
      }
    }
  });
}

TEST(CellDistances, TheFirstOfEqualSitesWins) {
  test::forEachTarget([](const Kernels& run) {
    Random random(33);
    const std::vector<SiteForm> forms(6, randomForm(random));
    const std::vector<std::uint32_t> joints{1};
    const BlockPoints points = randomBlock(random);
    std::vector<float> squared(kBlock);
    std::vector<std::int32_t> site(kBlock);
    run.cellDistances({.forms = forms.data(),
                       .site_count = 3,
                       .joints = joints,
                       .points = &points,
                       .squared = squared.data(),
                       .site = site.data()});
    EXPECT_EQ(site, std::vector<std::int32_t>(kBlock, 3));
  });
}

struct Table {
  std::vector<SiteForm> forms; // by joint and site
  std::vector<float> column, spread, falloff, log_slack, reach;
  SiteTable view;

  Table(Random& random, std::size_t groups, std::size_t m)
      : forms(groups * kJointGroup * m), column(groups * m * kSiteColumns * kJointGroup), spread(groups * kJointGroup),
        falloff(spread), log_slack(spread), reach(spread) {
    for (std::size_t site = 0; site < groups * m; ++site)
      for (std::size_t i = 0; i < kJointGroup; ++i) {
        const SiteForm f = randomForm(random);
        const float values[] = {f.l00, f.l10, f.l11, f.l20, f.l21, f.l22, f.b0, f.b1, f.b2, f.t2, f.k};
        for (std::size_t c = 0; c < kSiteColumns; ++c) column[(site * kSiteColumns + c) * kJointGroup + i] = values[c];
        forms[(site / m * kJointGroup + i) * m + site % m] = f;
      }
    for (float& v : spread) v = uniform(random, 0.5, 4);
    for (float& v : falloff) v = uniform(random, 1, 6);
    for (float& v : log_slack) v = uniform(random, -8, -1);
    for (float& v : reach) v = uniform(random, 1, 3);
    view = {column.data(), m, spread.data(), falloff.data(), log_slack.data(), reach.data()};
  }
  double distanceTo(std::size_t j, const Ball& ball) const {
    double out = std::numeric_limits<double>::infinity();
    for (std::size_t e = j * view.site_count; e < (j + 1) * view.site_count; ++e)
      out = std::min(out, distance(forms[e], ball.x, ball.y, ball.z));
    return out;
  }
};

struct Bounds {
  std::vector<float> lower, upper;
  float limit = 0;

  Bounds(const Kernels& run, const Table& table, const Ball& ball, const std::vector<std::uint16_t>& groups, int k)
      : lower(table.spread.size(), -1.0F), upper(lower) {
    limit = run.cellBounds(
        {.table = table.view, .ball = ball, .groups = groups, .k = k, .lower = lower.data(), .upper = upper.data()});
  }
};

TEST(CellBounds, EveryTargetFollowsTheFormulas) {
  test::forEachTarget([](const Kernels& run) {
    Random random(4);
    for (std::size_t count : {0UL, 1UL, 3UL, 5UL})
      for (std::size_t m : {1UL, 6UL})
        for (int k : {0, 4, 8}) {
          const Table table(random, count, m);
          std::vector<std::uint16_t> groups;
          for (std::size_t g = 0; g < count; g += 2) groups.push_back(static_cast<std::uint16_t>(g));
          const Ball ball{0.4F, 0.5F, 0.6F, 0.05F};
          const Bounds bounds(run, table, ball, groups, k);
          std::vector<double> upper;
          for (std::size_t j = 0; j < table.spread.size(); ++j) {
            const bool in_group = j / kJointGroup % 2 == 0;
            const double d = table.distanceTo(j, ball), change = double{table.spread[j]} * double{ball.radius};
            EXPECT_NEAR(bounds.lower[j], in_group ? std::max(d - change, 0.0) : -1, 1e-5 * (1 + d));
            const double reach = table.reach[j];
            EXPECT_NEAR(bounds.upper[j], in_group ? (d + change) * reach : -1, 1e-5 * (1 + d) * reach);
            if (in_group) upper.push_back((d + change) * reach);
          }
          // The limit may be larger than the (k+1)-th smallest upper bound, but not smaller.
          std::ranges::sort(upper);
          const bool enough = upper.size() > static_cast<std::size_t>(k);
          EXPECT_EQ(std::isfinite(bounds.limit), enough);
          if (enough) {
            EXPECT_GE(bounds.limit, upper[k] * 0.9999);
          }
        }
  });
}

TEST(CellBounds, HoldInTheWholeBall) {
  test::forEachTarget([](const Kernels& run) {
    Random random(44);
    constexpr std::size_t m = 3;
    for (int round = 0; round < 40; ++round) {
      Table table(random, 1, m);
      // The largest singular value of each L is at most its Frobenius norm.
      for (std::size_t j = 0; j < kJointGroup; ++j) {
        table.spread[j] = 0;
        for (std::size_t s = 0; s < m; ++s) {
          float squared = 0;
          for (std::size_t c = 0; c < 6; ++c) {
            const float l = table.column[(s * kSiteColumns + c) * kJointGroup + j];
            squared += l * l;
          }
          table.spread[j] = std::max(table.spread[j], std::sqrt(squared));
        }
      }
      const Ball ball{uniform(random, 0, 1), uniform(random, 0, 1), uniform(random, 0, 1), uniform(random, 0.01, 0.3)};
      const Bounds bounds(run, table, ball, {0}, 4);
      for (int sample = 0; sample < 60; ++sample) {
        const float x = uniform(random, -1, 1), y = uniform(random, -1, 1), z = uniform(random, -1, 1);
        const float scale = ball.radius / std::max(1.0F, std::sqrt(x * x + y * y + z * z));
        const Ball point{ball.x + scale * x, ball.y + scale * y, ball.z + scale * z, 0};
        for (std::size_t j = 0; j < kJointGroup; ++j) {
          EXPECT_LE(bounds.lower[j], table.distanceTo(j, point) + 1e-5);
          EXPECT_GE(bounds.upper[j], table.distanceTo(j, point) * double{table.reach[j]} - 1e-5);
        }
      }
    }
  });
}

TEST(CellLists, EveryTargetSelectsTheSameCells) {
  test::forEachTarget([](const Kernels& run) {
    Random random(14);
    const Table table(random, 4, 1);
    std::vector<float> lower(4 * kJointGroup), upper;
    for (float& v : lower) v = uniform(random, 0, 1);
    for (float v : lower) upper.push_back(v + 0.3F);
    for (const std::vector<std::uint16_t>& groups : {std::vector<std::uint16_t>{}, {2}, {0, 1, 3}}) {
      std::vector<std::uint32_t> found((groups.size() + 1) * kJointGroup);
      const auto expectSelected = [&](std::size_t count, const auto& selects) {
        std::vector<std::uint32_t> expected;
        for (std::uint32_t group : groups)
          for (std::uint32_t j = group * kJointGroup; j < (group + 1) * kJointGroup; ++j)
            if (selects(j)) expected.push_back(j);
        EXPECT_EQ(std::vector(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count)), expected);
      };
      const std::size_t near = run.listCells({.groups = groups,
                                              .value = lower.data(),
                                              .max_value = 0.5F,
                                              .upper = upper.data(),
                                              .upper_above = 0.4F,
                                              .joints = found.data()});
      expectSelected(near, [&](std::size_t j) { return lower[j] <= 0.5F && upper[j] > 0.4F; });
      const auto farWeight = [&](std::size_t j) {
        return double{table.falloff[j]} * (double{table.log_slack[j]} - std::log(double{lower[j]}));
      };
      // Thresholds that none, some or all cells of a group reach; -1 selects every distance.
      for (float lower_above : {-1.0F, 0.2F, 0.6F})
        for (float min_log_weight : {-30.0F, -9.0F, -3.0F, 0.0F}) {
          const std::size_t far = run.listFarCells({.table = table.view,
                                                    .groups = groups,
                                                    .lower = lower.data(),
                                                    .lower_above = lower_above,
                                                    .upper = upper.data(),
                                                    .upper_above = 0.6F,
                                                    .min_log_weight = min_log_weight,
                                                    .joints = found.data()});
          expectSelected(far, [&](std::size_t j) {
            return lower[j] > lower_above && upper[j] > 0.6F && farWeight(j) >= double{min_log_weight};
          });
        }
      double largest = kLogZero;
      for (std::size_t group : groups)
        for (std::size_t j = group * kJointGroup; j < (group + 1) * kJointGroup; ++j)
          largest = std::max(largest, farWeight(j));
      EXPECT_NEAR(run.largestFarWeight(table.view, groups, lower.data()), largest, 1e-5 * std::abs(largest));
    }
  });
}

// Everything from distances to weights. Every other measured cell is left out, and the others are taken in reverse.
struct Weights {
  std::vector<float> nearest, top, distance, log_raw, weight;
  std::vector<std::uint32_t> slot, at_reference, keep;
  std::vector<std::int32_t> kept;
  MeasuredCells measured;
  WeightBlock block;

  Weights(const MeasuredCells& cells, const WeightBlock& request)
      : nearest(9 * kBlock), top(kBlock), distance(cells.cells * kBlock), log_raw(distance), weight(distance),
        at_reference(cells.cells), keep(at_reference), kept(kBlock), measured(cells), block(request) {
    for (std::size_t s = cells.cells; s > 0; s -= std::min<std::size_t>(s, 2))
      slot.push_back(static_cast<std::uint32_t>(s - 1));
    measured.nearest = nearest.data();
    block.cells = slot.size();
    block.slot = slot.data();
    block.squared = cells.squared;
    block.reference2 = measured.reference2();
    block.top = top.data();
    block.distance = distance.data();
    block.at_reference = at_reference.data();
    block.log_raw = log_raw.data();
    block.weight = weight.data();
    block.keep = keep.data();
    block.kept = kept.data();
  }
};

// Distances to the cells of as many joints, which are in reverse order.
struct Distances {
  std::vector<float> squared, falloff, slack;
  std::vector<std::uint32_t> joint;

  Distances(Random& random, std::size_t cells, float slack_of_all)
      : squared(cells * kBlock), falloff(cells), slack(cells, slack_of_all) {
    for (float& v : squared) v = uniform(random, 1e-4, 1);
    for (float& v : falloff) v = uniform(random, 1, 5);
    for (std::size_t a = 0; a < cells; ++a) joint.push_back(static_cast<std::uint32_t>(cells - 1 - a));
  }
  Weights weights(int k, bool cuts, float keep_above) const {
    return {MeasuredCells{.cells = joint.size(), .max_influences = k, .squared = squared.data()},
            WeightBlock{.cuts = cuts,
                        .keep_above = keep_above,
                        .joint = joint.data(),
                        .falloff = falloff.data(),
                        .slack = slack.data()}};
  }
};

void expectClose(float found, double expected) {
  EXPECT_NEAR(found, expected, 1e-5 * (1 + std::abs(expected)));
}

// The squared distances of point i to the measured cells, ascending.
std::vector<float> sortedDistances(const Distances& from, std::size_t i) {
  std::vector<float> out;
  for (std::size_t a = 0; a < from.joint.size(); ++a) out.push_back(from.squared[a * kBlock + i]);
  std::ranges::sort(out);
  return out;
}

// Compares what the kernels made for point i with the formulas; returns the largest log raw weight.
double checkPoint(const Distances& from, const Weights& found, std::size_t i) {
  const WeightBlock& block = found.block;
  const double reference = std::sqrt(double{found.measured.reference2()[i]});
  std::vector<double> log_raw;
  double top = kLogZero;
  for (std::size_t a = 0; a < block.cells; ++a) {
    const std::size_t slot = found.slot[a], joint = from.joint[slot];
    const float squared = from.squared[slot * kBlock + i];
    const double d = std::sqrt(double{squared});
    const double above = block.cuts ? std::max(double{from.slack[joint]}, reference - d) : 1;
    log_raw.push_back(above > 0 ? double{from.falloff[joint]} * std::log(above / d) : kLogZero);
    top = std::max(top, log_raw.back());
    expectClose(found.distance[a * kBlock + i], d);
    expectClose(found.log_raw[a * kBlock + i], log_raw.back());
    EXPECT_EQ((found.at_reference[a] >> i & 1U) != 0, squared == found.measured.reference2()[i]);
  }
  expectClose(found.top[i], top);
  if (top == double{kLogZero}) return top;

  double sum = 0, kept_sum = 0;
  for (double l : log_raw) sum += std::exp(l - top);
  for (double l : log_raw)
    if (const double share = std::exp(l - top) / sum; share > double{block.keep_above}) kept_sum += share;
  std::int32_t kept = 0;
  for (std::size_t a = 0; a < block.cells; ++a) {
    const double share = std::exp(log_raw[a] - top) / sum;
    const bool keeps = (found.keep[a] >> i & 1U) != 0;
    kept += keeps ? 1 : 0;
    EXPECT_EQ(keeps, found.weight[a * kBlock + i] > 0);
    // Rounding may decide whether a weight at the threshold is kept, and very small weights underflow.
    const double threshold = double{block.keep_above};
    if (share > 1.001 * threshold && share > 1e-30) {
      EXPECT_TRUE(keeps);
      expectClose(found.weight[a * kBlock + i], share / kept_sum);
    } else if (share < 0.999 * threshold) {
      EXPECT_FALSE(keeps);
    }
  }
  EXPECT_EQ(found.kept[i], kept);
  return top;
}

void checkWeights(const Kernels& run, const Distances& from, int k, bool cuts, float keep_above) {
  Weights found = from.weights(k, cuts, keep_above);
  const float largest_reference2 = run.nearestDistances(found.measured, 0);
  const float lowest_top = run.logRawWeights(found.block, 0);
  run.softmaxWeights(found.block);
  const std::size_t cells = from.joint.size();
  std::vector<std::uint32_t> near(cells), far(cells), expected_near, expected_far;
  near.resize(run.splitByReference(found.measured, near.data(), far.data()));
  far.resize(cells - near.size());

  float expected_largest = 0;
  double expected_lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < kBlock; ++i) {
    const std::vector<float> sorted = sortedDistances(from, i);
    for (std::size_t s = 0; s <= static_cast<std::size_t>(k); ++s)
      EXPECT_EQ(found.nearest[s * kBlock + i], s < cells ? sorted[s] : std::numeric_limits<float>::infinity());
    expected_largest = std::max(expected_largest, found.measured.reference2()[i]);
    expected_lowest = std::min(expected_lowest, checkPoint(from, found, i));
  }
  EXPECT_EQ(largest_reference2, expected_largest);
  expectClose(lowest_top, expected_lowest);
  for (std::uint32_t a = 0; a < cells; ++a) {
    bool within = false;
    for (std::size_t i = 0; i < kBlock; ++i)
      within = within || from.squared[a * kBlock + i] <= found.measured.reference2()[i];
    (within ? expected_near : expected_far).push_back(a);
  }
  EXPECT_EQ(near, expected_near);
  EXPECT_EQ(far, expected_far);
}

TEST(CellWeights, EveryTargetFollowsTheFormulas) {
  test::forEachTarget([](const Kernels& run) {
    Random random(5);
    for (std::size_t cells : kCounts)
      for (int k : {1, 4, 8}) {
        if (cells <= static_cast<std::size_t>(k)) {
          if (cells > 0) checkWeights(run, Distances(random, cells, 0.003F), k, false, 0);
          continue;
        }
        checkWeights(run, Distances(random, cells, 0), k, true, 0);
        checkWeights(run, Distances(random, cells, 0.01F), k, true, 0);
        checkWeights(run, Distances(random, cells, 0.01F), k, true, 1e-4F);
      }
  });
}

TEST(CellWeights, CellsMayBeAddedInSeveralCalls) {
  test::forEachTarget([](const Kernels& run) {
    Random random(15);
    const Distances distances(random, 9, 0.01F);
    Weights whole = distances.weights(4, true, 0), pieces = distances.weights(4, true, 0);
    run.nearestDistances(whole.measured, 0);
    run.logRawWeights(whole.block, 0);
    pieces.measured.cells = 5;
    run.nearestDistances(pieces.measured, 0);
    pieces.measured.cells = 9;
    run.nearestDistances(pieces.measured, 5);
    const std::size_t all = pieces.block.cells;
    pieces.block.cells = all - 2;
    run.logRawWeights(pieces.block, 0);
    pieces.block.cells = all;
    run.logRawWeights(pieces.block, all - 2);
    EXPECT_EQ(whole.nearest, pieces.nearest);
    EXPECT_EQ(whole.log_raw, pieces.log_raw);
    EXPECT_EQ(whole.top, pieces.top);
  });
}

TEST(CellWeights, TopMarksPointsWhoseRawWeightsAreAllZero) {
  test::forEachTarget([](const Kernels& run) {
    Random random(16);
    Distances distances(random, 3, 0);
    std::fill(distances.squared.begin(), distances.squared.end(), 0.25F);
    Weights found = distances.weights(2, true, 0);
    run.nearestDistances(found.measured, 0);
    run.logRawWeights(found.block, 0);
    EXPECT_EQ(found.top, std::vector<float>(kBlock, kLogZero));
  });
}

} // namespace
} // namespace skincells::kernels

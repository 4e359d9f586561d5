// The Highway versions of the field's hot loops against their scalar definitions, for every instruction set, with
// buffers of exactly the size that the contract asks for.
#include "kernels/field_block.h"

#include <algorithm>
#include <cmath>
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
  f.l00 = uniform(random, 0.5, 2), f.l11 = uniform(random, 0.5, 2), f.l22 = uniform(random, 0.5, 2);
  f.l10 = uniform(random, -0.5, 0.5), f.l20 = uniform(random, -0.5, 0.5), f.l21 = uniform(random, -0.5, 0.5);
  f.b0 = uniform(random, -1, 1), f.b1 = uniform(random, -1, 1), f.b2 = uniform(random, -1, 1);
  const float t = uniform(random, 0.01, 0.5);
  f.t2 = t * t, f.k = 0.25F / f.t2;
  return f;
}

BlockPoints randomBlock(Random& random) {
  BlockPoints p{};
  for (std::size_t i = 0; i < kBlock; ++i)
    p.x[i] = uniform(random, 0, 1), p.y[i] = uniform(random, 0, 1), p.z[i] = uniform(random, 0, 1);
  return p;
}

TEST(CellDistances, EveryTargetAgreesWithTheDefinition) {
  test::forEachTarget([] {
    Random random(3);
    for (std::size_t count : kCounts) {
      const std::size_t m = 1 + random.below(6);
      std::vector<SiteForm> forms((count + 3) * m);
      for (SiteForm& f : forms) f = randomForm(random);
      std::vector<std::uint32_t> joints;
      for (std::size_t a = 0; a < count; ++a) joints.push_back(static_cast<std::uint32_t>((a * 7 + 3) % (count + 3)));
      const BlockPoints points = randomBlock(random);
      std::vector<float> fast(count * kBlock), slow(count * kBlock);
      std::vector<std::int32_t> fast_site(count * kBlock), slow_site(count * kBlock);
      cellDistances(forms.data(), m, joints, points, fast.data(), fast_site.data());
      scalar::cellDistances(forms.data(), m, joints, points, slow.data(), slow_site.data());
      for (std::size_t i = 0; i < fast.size(); ++i) {
        EXPECT_NEAR(fast[i], slow[i], 2e-6F * (1 + slow[i]));
        EXPECT_EQ(fast_site[i], slow_site[i]);
      }
    }
  });
}

struct Table {
  std::vector<float> column, spread, falloff, log_slack;
  SiteTable view;

  Table(Random& random, std::size_t groups, std::size_t m)
      : column(groups * m * kSiteColumns * kJointGroup), spread(groups * kJointGroup), falloff(spread),
        log_slack(spread) {
    for (std::size_t site = 0; site < groups * m; ++site)
      for (std::size_t i = 0; i < kJointGroup; ++i) {
        const SiteForm f = randomForm(random);
        const float values[] = {f.l00, f.l10, f.l11, f.l20, f.l21, f.l22, f.b0, f.b1, f.b2, f.t2, f.k};
        for (std::size_t c = 0; c < kSiteColumns; ++c) column[(site * kSiteColumns + c) * kJointGroup + i] = values[c];
      }
    for (float& v : spread) v = uniform(random, 0.5, 4);
    for (float& v : falloff) v = uniform(random, 1, 6);
    for (float& v : log_slack) v = uniform(random, -8, -1);
    view = {column.data(), m, spread.data(), falloff.data(), log_slack.data()};
  }
};

struct Bounds {
  std::vector<float> lower, upper;
  float limit = 0;

  explicit Bounds(std::size_t joints) : lower(joints, -1.0F), upper(joints, -1.0F) {}
};

TEST(CellBounds, EveryTargetAgreesWithTheDefinition) {
  test::forEachTarget([] {
    Random random(4);
    for (std::size_t count : {0UL, 1UL, 3UL, 5UL})
      for (std::size_t m : {1UL, 6UL})
        for (int k : {0, 4, 8}) {
          const Table table(random, count, m);
          std::vector<std::uint16_t> groups;
          for (std::size_t g = 0; g < count; g += 2) groups.push_back(static_cast<std::uint16_t>(g));
          Bounds fast(count * kJointGroup), slow(count * kJointGroup);
          const Ball ball{0.4F, 0.5F, 0.6F, 0.05F};
          fast.limit = cellBounds(table.view, ball, groups, k, fast.lower.data(), fast.upper.data());
          slow.limit = scalar::cellBounds(table.view, ball, groups, k, slow.lower.data(), slow.upper.data());
          for (std::size_t j = 0; j < fast.lower.size(); ++j) {
            EXPECT_NEAR(fast.lower[j], slow.lower[j], 1e-5F * (1 + slow.lower[j]));
            EXPECT_NEAR(fast.upper[j], slow.upper[j], 1e-5F * (1 + slow.upper[j]));
          }
          // The fast one may stay above, but has to leave out no more than it may.
          EXPECT_GE(fast.limit, slow.limit * 0.9999F);
          if (groups.size() * kJointGroup > static_cast<std::size_t>(k)) {
            EXPECT_TRUE(std::isfinite(fast.limit));
          }
        }
  });
}

TEST(CellBounds, HoldInTheWholeBall) {
  test::forEachTarget([] {
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
      const std::vector<std::uint16_t> groups{0};
      Bounds over(kJointGroup);
      const Ball ball{uniform(random, 0, 1), uniform(random, 0, 1), uniform(random, 0, 1), uniform(random, 0.01, 0.3)};
      cellBounds(table.view, ball, groups, 4, over.lower.data(), over.upper.data());
      for (int sample = 0; sample < 60; ++sample) {
        const float x = uniform(random, -1, 1), y = uniform(random, -1, 1), z = uniform(random, -1, 1);
        const float scale = ball.radius / std::max(1.0F, std::sqrt(x * x + y * y + z * z));
        Bounds here(kJointGroup);
        cellBounds(table.view, {ball.x + scale * x, ball.y + scale * y, ball.z + scale * z, 0}, groups, 4,
                   here.lower.data(), here.upper.data());
        for (std::size_t j = 0; j < kJointGroup; ++j) {
          EXPECT_LE(over.lower[j], here.lower[j] + 1e-5F);
          EXPECT_GE(over.upper[j], here.upper[j] - 1e-5F);
        }
      }
    }
  });
}

TEST(CellLists, EveryTargetAgreesWithTheDefinition) {
  test::forEachTarget([] {
    Random random(14);
    const Table table(random, 4, 1);
    std::vector<float> lower(4 * kJointGroup), upper;
    for (float& v : lower) v = uniform(random, 0, 1);
    for (float v : lower) upper.push_back(v + 0.3F);
    for (const std::vector<std::uint16_t>& groups : {std::vector<std::uint16_t>{}, {2}, {0, 1, 3}}) {
      std::vector<std::uint32_t> fast((groups.size() + 1) * kJointGroup), slow = fast;
      const auto equal = [&](std::size_t count) {
        EXPECT_TRUE(std::equal(fast.begin(), fast.begin() + static_cast<std::ptrdiff_t>(count), slow.begin()));
      };
      const auto n = listCells(groups, lower.data(), 0.5F, upper.data(), 0.4F, fast.data());
      EXPECT_EQ(n, scalar::listCells(groups, lower.data(), 0.5F, upper.data(), 0.4F, slow.data()));
      equal(n);
      // Groups of which no cell can weigh enough, some and all; -1 is no bound.
      for (float above : {-1.0F, 0.2F, 0.6F})
        for (float needed : {-30.0F, -9.0F, -3.0F, 0.0F}) {
          const auto far =
              listFarCells(table.view, groups, lower.data(), above, upper.data(), 0.6F, needed, fast.data());
          EXPECT_EQ(far, scalar::listFarCells(table.view, groups, lower.data(), above, upper.data(), 0.6F, needed,
                                              slow.data()));
          equal(far);
        }
      const float largest = scalar::largestFarWeight(table.view, groups, lower.data());
      EXPECT_NEAR(largestFarWeight(table.view, groups, lower.data()), largest, 1e-5F * std::abs(largest));
    }
  });
}

// Everything between distances and weights. Every other measured cell is left out, and the rest are taken backwards.
struct Weights {
  std::vector<float> nearest, top, distance, log_raw, weight;
  std::vector<std::uint32_t> slot, at_reference, keep;
  std::vector<std::int32_t> kept;
  MeasuredCells measured;
  WeightBlock block;
  float largest_reference2 = 0, lowest_top = 0;

  Weights(const MeasuredCells& cells, const WeightBlock& request)
      : nearest(9 * kBlock), top(kBlock), distance(cells.cells * kBlock), log_raw(distance), weight(distance),
        at_reference(cells.cells), keep(at_reference), kept(kBlock), measured(cells), block(request) {
    for (std::size_t s = cells.cells; s > 0; s -= std::min<std::size_t>(s, 2))
      slot.push_back(static_cast<std::uint32_t>(s - 1));
    measured.nearest = nearest.data(), block.at_reference = at_reference.data();
    block.cells = slot.size(), block.slot = slot.data(), block.squared = cells.squared;
    block.reference2 = measured.reference2(), block.top = top.data(), block.distance = distance.data();
    block.log_raw = log_raw.data(), block.weight = weight.data(), block.keep = keep.data(), block.kept = kept.data();
  }
};

// Distances of cells of as many joints, in another order.
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

void compareWeights(Random& random, std::size_t cells, int k, float slack, bool cuts, float keep_above) {
  const Distances distances(random, cells, slack);
  Weights fast = distances.weights(k, cuts, keep_above), slow = distances.weights(k, cuts, keep_above);
  fast.largest_reference2 = nearestDistances(fast.measured, 0);
  fast.lowest_top = logRawWeights(fast.block, 0), softmaxWeights(fast.block);
  slow.largest_reference2 = scalar::nearestDistances(slow.measured, 0);
  slow.lowest_top = scalar::logRawWeights(slow.block, 0);
  scalar::softmaxWeights(slow.block);
  const std::size_t used = (static_cast<std::size_t>(k) + 1) * kBlock;
  EXPECT_TRUE(
      std::equal(fast.nearest.begin(), fast.nearest.begin() + static_cast<std::ptrdiff_t>(used), slow.nearest.begin()));
  EXPECT_EQ(fast.largest_reference2, slow.largest_reference2);
  EXPECT_NEAR(fast.lowest_top, slow.lowest_top, 1e-5F * (1 + std::abs(slow.lowest_top)));
  std::vector<std::uint32_t> near(cells), far(cells), slow_near(cells), slow_far(cells);
  const std::size_t count = splitByReference(fast.measured, near.data(), far.data());
  EXPECT_EQ(count, scalar::splitByReference(slow.measured, slow_near.data(), slow_far.data()));
  for (std::size_t a = 0; a < cells; ++a)
    EXPECT_EQ(a < count ? near[a] : far[a - count], a < count ? slow_near[a] : slow_far[a - count]);
  EXPECT_EQ(fast.at_reference, slow.at_reference);
  const auto close = [](float a, float b) { EXPECT_NEAR(a, b, 1e-5F * (1 + std::abs(b))); };
  for (std::size_t i = 0; i < fast.block.cells * kBlock; ++i) {
    if (slow.top[i % kBlock] == kNoRaw) continue;
    close(fast.weight[i], slow.weight[i]);
    close(fast.distance[i], slow.distance[i]);
    close(fast.log_raw[i], slow.log_raw[i]);
    const auto keeps = [i](const Weights& w) { return (w.keep[i / kBlock] >> (i % kBlock) & 1U) != 0; };
    EXPECT_EQ(keeps(fast), fast.weight[i] > 0);
    // Which of the smallest are kept may differ by rounding.
    EXPECT_TRUE(keeps(fast) == keeps(slow) || slow.weight[i] < 2e-4F);
  }
  for (std::size_t i = 0; i < kBlock; ++i) {
    std::int32_t keeping = 0;
    for (std::size_t a = 0; a < fast.block.cells; ++a) keeping += static_cast<std::int32_t>(fast.keep[a] >> i & 1U);
    EXPECT_EQ(fast.kept[i], keeping);
  }
}

TEST(CellWeights, MayTakeTheirCellsInPieces) {
  test::forEachTarget([] {
    Random random(15);
    const Distances distances(random, 9, 0.01F);
    Weights whole = distances.weights(4, true, 0), pieces = distances.weights(4, true, 0);
    nearestDistances(whole.measured, 0), logRawWeights(whole.block, 0);
    pieces.measured.cells = 5;
    nearestDistances(pieces.measured, 0);
    pieces.measured.cells = 9;
    nearestDistances(pieces.measured, 5);
    const std::size_t all = pieces.block.cells;
    pieces.block.cells = all - 2;
    logRawWeights(pieces.block, 0);
    pieces.block.cells = all;
    logRawWeights(pieces.block, all - 2);
    EXPECT_EQ(whole.nearest, pieces.nearest);
    EXPECT_EQ(whole.log_raw, pieces.log_raw);
    EXPECT_EQ(whole.top, pieces.top);
  });
}

TEST(CellWeights, EveryTargetAgreesWithTheDefinition) {
  test::forEachTarget([] {
    Random random(5);
    for (std::size_t cells : kCounts)
      for (int k : {1, 4, 8}) {
        if (cells <= static_cast<std::size_t>(k)) {
          if (cells > 0) compareWeights(random, cells, k, 0.003F, false, 0);
          continue;
        }
        compareWeights(random, cells, k, 0, true, 0);
        compareWeights(random, cells, k, 0.01F, true, 0);
        compareWeights(random, cells, k, 0.01F, true, 1e-4F);
      }
  });
}

TEST(CellWeights, SayWhereEveryRawWeightIsZero) {
  test::forEachTarget([] {
    Random random(16);
    Distances distances(random, 3, 0);
    std::fill(distances.squared.begin(), distances.squared.end(), 0.25F);
    Weights fast = distances.weights(2, true, 0);
    nearestDistances(fast.measured, 0), logRawWeights(fast.block, 0);
    EXPECT_EQ(fast.top, std::vector<float>(kBlock, kNoRaw));
  });
}

} // namespace
} // namespace skincells::kernels

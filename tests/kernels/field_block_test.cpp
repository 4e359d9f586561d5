// The Highway versions of the field's hot loops against their scalar definitions, for every instruction set, with
// buffers of exactly the size that the contract asks for.
#include "kernels/field_block.h"

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
      std::vector<std::uint16_t> joints;
      for (std::size_t a = 0; a < count; ++a) joints.push_back(static_cast<std::uint16_t>((a * 7 + 3) % (count + 3)));
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
      std::vector<std::uint16_t> fast(groups.size() * kJointGroup), slow = fast;
      const auto n = listCells(groups, lower.data(), 0.5F, upper.data(), 0.4F, fast.data());
      EXPECT_EQ(n, scalar::listCells(groups, lower.data(), 0.5F, upper.data(), 0.4F, slow.data()));
      EXPECT_EQ(fast, slow);
      const auto far = listFarCells(table.view, groups, lower.data(), 0.2F, upper.data(), 0.6F, -9, fast.data());
      EXPECT_EQ(far, scalar::listFarCells(table.view, groups, lower.data(), 0.2F, upper.data(), 0.6F, -9, slow.data()));
      EXPECT_EQ(fast, slow);
      const float largest = scalar::largestFarWeight(table.view, groups, lower.data());
      EXPECT_NEAR(largestFarWeight(table.view, groups, lower.data()), largest, 1e-5F * std::abs(largest));
    }
  });
}

struct Weights {
  std::vector<float> log_raw, weight, nearest, top, inverse_distance, by_distance, by_reference;
  std::vector<std::uint32_t> keep, within, at_reference;
  WeightBlock block;
  float largest_reference2 = 0, lowest_top = 0;

  explicit Weights(const WeightBlock& request)
      : log_raw(request.cells * kBlock), weight(log_raw), nearest(9 * kBlock), top(kBlock), inverse_distance(log_raw),
        by_distance(log_raw), by_reference(log_raw), keep(request.cells), within(keep), at_reference(keep),
        block(request) {
    block.nearest = nearest.data(), block.top = top.data(), block.log_raw = log_raw.data();
    block.within = within.data(), block.at_reference = at_reference.data(), block.weight = weight.data(),
    block.keep = keep.data();
  }
  SlopeBlock slopes() { return {inverse_distance.data(), by_distance.data(), by_reference.data()}; }
};

void compareWeights(Random& random, std::size_t cells, int k, float slack, bool cuts, float keep_above) {
  std::vector<float> squared(cells * kBlock), falloff(cells), slacks(cells, slack);
  for (float& v : squared) v = uniform(random, 1e-4, 1);
  for (float& v : falloff) v = uniform(random, 1, 5);
  const WeightBlock request{.cells = cells,
                            .max_influences = k,
                            .cuts = cuts,
                            .keep_above = keep_above,
                            .squared = squared.data(),
                            .falloff = falloff.data(),
                            .slack = slacks.data()};
  Weights fast(request), slow(request);
  fast.largest_reference2 = nearestDistances(fast.block, 0);
  compareWithReference(fast.block, 0), fast.lowest_top = logRawWeights(fast.block, 0);
  softmaxWeights(fast.block), weightSlopes(fast.block, fast.slopes());
  slow.largest_reference2 = scalar::nearestDistances(slow.block, 0);
  scalar::compareWithReference(slow.block, 0), slow.lowest_top = scalar::logRawWeights(slow.block, 0);
  scalar::softmaxWeights(slow.block), scalar::weightSlopes(slow.block, slow.slopes());
  EXPECT_EQ(fast.nearest, slow.nearest);
  EXPECT_EQ(fast.largest_reference2, slow.largest_reference2);
  EXPECT_NEAR(fast.lowest_top, slow.lowest_top, 1e-5F * (1 + std::abs(slow.lowest_top)));
  EXPECT_EQ(fast.within, slow.within);
  EXPECT_EQ(fast.at_reference, slow.at_reference);
  const auto near = [](float a, float b, float tolerance) { EXPECT_NEAR(a, b, tolerance * (1 + std::abs(b))); };
  for (std::size_t i = 0; i < cells * kBlock; ++i) {
    const std::uint32_t bit = 1U << (i % kBlock);
    if ((slow.keep[i / kBlock] & bit) == 0) continue;
    near(fast.weight[i], slow.weight[i], 1e-5F);
    near(fast.log_raw[i], slow.log_raw[i], 1e-5F);
    near(fast.inverse_distance[i], slow.inverse_distance[i], 1e-5F);
    near(fast.by_distance[i], slow.by_distance[i], 1e-5F);
    near(fast.by_reference[i], slow.by_reference[i], 1e-5F);
  }
}

TEST(CellWeights, MayTakeTheirCellsInPieces) {
  test::forEachTarget([] {
    Random random(15);
    std::vector<float> squared(9 * kBlock), falloff(9, 3.0F), slack(9, 0.01F);
    for (float& v : squared) v = uniform(random, 1e-4, 1);
    const WeightBlock request{
        .cells = 9, .max_influences = 4, .squared = squared.data(), .falloff = falloff.data(), .slack = slack.data()};
    Weights whole(request), pieces(request);
    nearestDistances(whole.block, 0), logRawWeights(whole.block, 0);
    pieces.block.cells = 5;
    nearestDistances(pieces.block, 0);
    pieces.block.cells = 9;
    nearestDistances(pieces.block, 5);
    pieces.block.cells = 7;
    logRawWeights(pieces.block, 0);
    pieces.block.cells = 9;
    logRawWeights(pieces.block, 7);
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
    const std::vector<float> squared(3 * kBlock, 0.25F), falloff(3, 3.0F), slack(3, 0.0F);
    Weights fast(WeightBlock{
        .cells = 3, .max_influences = 2, .squared = squared.data(), .falloff = falloff.data(), .slack = slack.data()});
    nearestDistances(fast.block, 0), logRawWeights(fast.block, 0);
    EXPECT_EQ(fast.top, std::vector<float>(kBlock, kNoRaw));
  });
}

} // namespace
} // namespace skincells::kernels

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
  f.t2 = t * t, f.k = 0.25F / f.t2, f.spread = 4;
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
      std::vector<SiteForm> forms;
      std::vector<std::uint32_t> begin = {0}, sites;
      for (std::size_t a = 0; a < count; ++a) {
        for (std::uint32_t s = 0; s < 1 + random.below(6); ++s) {
          sites.push_back(static_cast<std::uint32_t>(forms.size()));
          forms.push_back(randomForm(random));
        }
        begin.push_back(static_cast<std::uint32_t>(sites.size()));
      }
      const BlockPoints points = randomBlock(random);
      std::vector<float> fast(count * kBlock), slow(count * kBlock);
      std::vector<std::int32_t> fast_site(count * kBlock), slow_site(count * kBlock);
      cellDistances(forms.data(), {begin, sites}, points, fast.data(), fast_site.data());
      scalar::cellDistances(forms.data(), {begin, sites}, points, slow.data(), slow_site.data());
      for (std::size_t i = 0; i < fast.size(); ++i) {
        EXPECT_NEAR(fast[i], slow[i], 2e-6F * (1 + slow[i]));
        EXPECT_EQ(fast_site[i], slow_site[i]);
      }
    }
  });
}

struct Table {
  std::vector<float> column, falloff, log_slack;
  SiteTable view;

  Table(Random& random, std::size_t stride, std::size_t m)
      : column(kSiteColumns * m * stride), falloff(stride), log_slack(stride) {
    for (std::size_t s = 0; s < m; ++s)
      for (std::size_t j = 0; j < stride; ++j) {
        const SiteForm f = randomForm(random);
        const float values[] = {f.l00, f.l10, f.l11, f.l20, f.l21, f.l22, f.b0, f.b1, f.b2, f.t2, f.k, f.spread};
        for (std::size_t c = 0; c < kSiteColumns; ++c) column[(c * m + s) * stride + j] = values[c];
      }
    for (float& v : falloff) v = uniform(random, 1, 6);
    for (float& v : log_slack) v = uniform(random, -8, -1);
    view = {column.data(), stride, m, falloff.data(), log_slack.data()};
  }
};

TEST(CellBounds, EveryTargetAgreesWithTheDefinition) {
  test::forEachTarget([] {
    Random random(4);
    for (std::size_t stride : {0UL, kJointLanes, 3 * kJointLanes})
      for (std::size_t m : {1UL, 6UL}) {
        const Table table(random, stride, m);
        std::vector<float> fast[4], slow[4];
        for (int i = 0; i < 4; ++i) fast[i].resize(i == 0 ? m * stride : stride), slow[i] = fast[i];
        const Ball ball{0.4F, 0.5F, 0.6F, 0.05F};
        cellBounds(table.view, ball, fast[0].data(), fast[1].data(), fast[2].data(), fast[3].data());
        scalar::cellBounds(table.view, ball, slow[0].data(), slow[1].data(), slow[2].data(), slow[3].data());
        for (int i = 0; i < 4; ++i)
          for (std::size_t j = 0; j < fast[i].size(); ++j)
            EXPECT_NEAR(fast[i][j], slow[i][j], 1e-5F * (1 + std::abs(slow[i][j]))) << i;
      }
  });
}

struct Weights {
  std::vector<float> log_raw, weight, reference2, top;
  std::vector<std::uint32_t> keep, at_reference;
  WeightBlock block;

  explicit Weights(const WeightBlock& request)
      : log_raw(request.cells * kBlock), weight(request.cells * kBlock), reference2(kBlock), top(kBlock),
        keep(request.cells), at_reference(request.cells), block(request) {
    block.reference2 = reference2.data(), block.top = top.data(), block.log_raw = log_raw.data();
    block.at_reference = at_reference.data(), block.weight = weight.data(), block.keep = keep.data();
  }
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
  referenceDistances(fast.block), logRawWeights(fast.block, 0), softmaxWeights(fast.block);
  scalar::referenceDistances(slow.block), scalar::logRawWeights(slow.block, 0), scalar::softmaxWeights(slow.block);
  EXPECT_EQ(fast.reference2, slow.reference2);
  EXPECT_EQ(fast.at_reference, slow.at_reference);
  for (std::size_t i = 0; i < cells * kBlock; ++i) {
    const std::uint32_t bit = 1U << (i % kBlock);
    if ((slow.keep[i / kBlock] & bit) == 0) continue;
    EXPECT_NEAR(fast.weight[i], slow.weight[i], 1e-5F);
    EXPECT_NEAR(fast.log_raw[i], slow.log_raw[i], 1e-5F * (1 + std::abs(slow.log_raw[i])));
  }
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
    referenceDistances(fast.block), logRawWeights(fast.block, 0);
    EXPECT_EQ(fast.top, std::vector<float>(kBlock, kNoRaw));
  });
}

} // namespace
} // namespace skincells::kernels

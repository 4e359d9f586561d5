#include "field/block_evaluation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace skincells::field {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The (k+1)-th smallest of the first `count` values, k <= 8; infinity when there are fewer.
float smallest(const std::vector<float>& values, std::size_t count, int k) {
  std::array<float, 9> least;
  least.fill(kInfinity);
  const auto last = static_cast<std::size_t>(k);
  for (std::size_t i = 0; i < count; ++i) {
    float v = values[i];
    if (!(v < least[last])) continue;
    for (std::size_t s = 0; s <= last; ++s)
      if (v < least[s]) std::swap(v, least[s]);
  }
  return least[last];
}

// What a cell must reach to be looked at in this block.
struct Reach {
  float lower2 = kInfinity;   // cells that may come this near may be among the K nearest, or D itself
  float log_raw = -kInfinity; // cells beyond matter if their slack can lift them this high
};

Reach neededReach(const CompiledField& field, float keep_above, const BlockScratch& scratch) {
  const std::size_t n = field.layout.joints();
  if (!field.cuts() || (field.mode == FieldMode::Relaxed && keep_above <= 0)) return {};
  Reach reach;
  // D is the (K+1)-th smallest distance, so it is at most the (K+1)-th smallest upper bound.
  reach.lower2 = 1.00001F * smallest(scratch.upper2, n, field.max_influences);
  if (field.mode == FieldMode::Hard) return reach.log_raw = kInfinity, reach;
  // The sum of raw weights is at least that of the nearest cell, and D at least the (K+1)-th smallest lower bound.
  const auto nearest = static_cast<std::size_t>(
      std::min_element(scratch.upper2.begin(), scratch.upper2.begin() + static_cast<std::ptrdiff_t>(n)) -
      scratch.upper2.begin());
  const float farthest = std::sqrt(scratch.upper2[nearest]);
  const float above = std::sqrt(smallest(scratch.lower2, n, field.max_influences)) - farthest;
  const float log_sum = field.falloff[nearest] * std::log(std::max(field.slack[nearest], above) / farthest);
  reach.log_raw = log_sum + std::log(keep_above) - 1e-3F;
  return reach;
}

void listCells(const CompiledField& field, const Reach& reach, BlockScratch& s) {
  const std::size_t m = field.layout.sitesPerJoint();
  s.joint.clear(), s.sites.clear(), s.falloff.clear(), s.slack.clear();
  s.site_begin.assign(1, 0U);
  for (std::size_t j = 0; j < field.layout.joints(); ++j) {
    if (s.lower2[j] > reach.lower2 && s.far_log_raw[j] < reach.log_raw) continue;
    s.joint.push_back(static_cast<std::uint16_t>(j));
    s.falloff.push_back(field.falloff[j]);
    s.slack.push_back(field.slack[j]);
    const float most = 1.00001F * s.upper2[j];
    for (std::size_t site = 0; site < m; ++site)
      if (s.site_lower2[site * field.stride + j] <= most) s.sites.push_back(static_cast<std::uint32_t>(j * m + site));
    s.site_begin.push_back(static_cast<std::uint32_t>(s.sites.size()));
  }
}

// Gives point i the nearest K cells in equal parts.
void shareEqually(int k, std::size_t i, BlockScratch& s) {
  const std::uint32_t bit = 1U << i;
  for (std::uint32_t& keep : s.keep) keep &= ~bit;
  for (int taken = 0; taken < k; ++taken) {
    std::size_t best = s.cells();
    for (std::size_t a = 0; a < s.cells(); ++a) {
      const bool free = (s.keep[a] & bit) == 0;
      if (free && (best == s.cells() || s.squared[a * kernels::kBlock + i] < s.squared[best * kernels::kBlock + i]))
        best = a;
    }
    s.keep[best] |= bit;
    s.weight[best * kernels::kBlock + i] = 1.0F / static_cast<float>(k);
  }
}

} // namespace

void evaluateBlock(const CompiledField& field, const PointBlocks& points, std::size_t block, float keep_above,
                   BlockScratch& s) {
  s.site_lower2.resize(field.stride * field.layout.sitesPerJoint());
  s.lower2.resize(field.stride), s.upper2.resize(field.stride), s.far_log_raw.resize(field.stride);
  kernels::cellBounds(field.table(), points.balls[block], s.site_lower2.data(), s.lower2.data(), s.upper2.data(),
                      s.far_log_raw.data());
  listCells(field, neededReach(field, keep_above, s), s);

  const std::size_t cells = s.cells(), size = cells * kernels::kBlock;
  s.squared.resize(size), s.log_raw.resize(size), s.weight.resize(size), s.site.resize(size);
  s.keep.resize(cells), s.at_reference.resize(cells);
  kernels::cellDistances(field.forms.data(), {s.site_begin, s.sites}, points.blocks[block], s.squared.data(),
                         s.site.data());
  kernels::cellWeights({.cells = cells,
                        .squared = s.squared.data(),
                        .falloff = s.falloff.data(),
                        .slack = s.slack.data(),
                        .max_influences = field.max_influences,
                        .cuts = field.cuts(),
                        .keep_above = keep_above},
                       {.log_raw = s.log_raw.data(),
                        .weight = s.weight.data(),
                        .keep = s.keep.data(),
                        .at_reference = s.at_reference.data(),
                        .reference = s.reference,
                        .tied = &s.tied});
  for (std::size_t i = 0; s.tied != 0 && i < kernels::kBlock; ++i)
    if ((s.tied >> i & 1U) != 0) shareEqually(field.max_influences, i, s);
}

} // namespace skincells::field

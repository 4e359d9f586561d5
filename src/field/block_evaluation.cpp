#include "field/block_evaluation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>

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

void addCell(const CompiledField& field, std::size_t j, BlockScratch& s) {
  const std::size_t m = field.layout.sitesPerJoint();
  s.joint.push_back(static_cast<std::uint16_t>(j));
  s.falloff.push_back(field.falloff[j]);
  s.slack.push_back(field.slack[j]);
  const float most = 1.00001F * s.upper2[j];
  for (std::size_t site = 0; site < m; ++site)
    if (s.site_lower2[site * field.stride + j] <= most) s.sites.push_back(static_cast<std::uint32_t>(j * m + site));
  s.site_begin.push_back(static_cast<std::uint32_t>(s.sites.size()));
}

// The square below which a cell's distance has to come somewhere in the block to be near. D is the (K+1)-th smallest
// distance, so it is at most the (K+1)-th smallest upper bound, and cells that stay beyond never decide it.
float nearLimit2(const CompiledField& field, float keep_above, const BlockScratch& s) {
  const bool all = !field.cuts() || (field.mode == FieldMode::Relaxed && keep_above <= 0);
  return all ? kInfinity : 1.00001F * smallest(s.upper2, field.layout.joints(), field.max_influences);
}

void listNearCells(const CompiledField& field, float limit2, BlockScratch& s) {
  s.joint.clear(), s.sites.clear(), s.falloff.clear(), s.slack.clear();
  s.site_begin.assign(1, 0U);
  for (std::size_t j = 0; j < field.layout.joints(); ++j)
    if (s.lower2[j] <= limit2) addCell(field, j, s);
}

// Cells beyond `limit2` have the raw weight (c / d)^r. They matter where it can exceed `keep_above` of the largest
// raw weight of a near cell.
void listFarCells(const CompiledField& field, float limit2, float keep_above, BlockScratch& s) {
  if (limit2 == kInfinity || field.mode == FieldMode::Hard) return;
  const float lowest_top = *std::min_element(std::begin(s.top), std::end(s.top));
  const float needed = lowest_top + std::log(keep_above) - 1e-3F;
  for (std::size_t j = 0; j < field.layout.joints(); ++j)
    if (s.lower2[j] > limit2 && s.far_log_raw[j] >= needed) addCell(field, j, s);
}

// Makes room for the listed cells and computes the distances of those from `first_cell` on.
void measureCells(const CompiledField& field, const kernels::BlockPoints& points, std::size_t first_cell,
                  BlockScratch& s) {
  const std::size_t size = s.cells() * kernels::kBlock, first = first_cell * kernels::kBlock;
  s.squared.resize(size), s.log_raw.resize(size), s.weight.resize(size), s.site.resize(size);
  s.keep.resize(s.cells()), s.at_reference.resize(s.cells());
  kernels::cellDistances(field.forms.data(), {std::span(s.site_begin).subspan(first_cell), s.sites}, points,
                         s.squared.data() + first, s.site.data() + first);
}

kernels::WeightBlock weightBlock(const CompiledField& field, float keep_above, BlockScratch& s) {
  return {.cells = s.cells(),
          .max_influences = field.max_influences,
          .cuts = field.cuts(),
          .keep_above = keep_above,
          .squared = s.squared.data(),
          .falloff = s.falloff.data(),
          .slack = s.slack.data(),
          .reference2 = s.reference2,
          .top = s.top,
          .log_raw = s.log_raw.data(),
          .at_reference = s.at_reference.data(),
          .weight = s.weight.data(),
          .keep = s.keep.data()};
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
  const float limit2 = nearLimit2(field, keep_above, s);
  listNearCells(field, limit2, s);
  measureCells(field, points.blocks[block], 0, s);
  kernels::referenceDistances(weightBlock(field, keep_above, s));
  kernels::logRawWeights(weightBlock(field, keep_above, s), 0);

  const std::size_t near = s.cells();
  listFarCells(field, limit2, keep_above, s);
  if (s.cells() > near) {
    measureCells(field, points.blocks[block], near, s);
    kernels::logRawWeights(weightBlock(field, keep_above, s), near);
  }
  kernels::softmaxWeights(weightBlock(field, keep_above, s));
  for (std::size_t i = 0; i < kernels::kBlock; ++i)
    if (s.top[i] == kernels::kNoRaw) shareEqually(field.max_influences, i, s);
}

} // namespace skincells::field

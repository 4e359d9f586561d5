// The scalar definitions of the field's hot loops.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/field_block.h"

namespace skincells::kernels::scalar {
namespace {

float squaredDistance(const SiteForm& f, float x, float y, float z) {
  const float y0 = f.l00 * x + f.b0;
  const float y1 = f.l10 * x + f.l11 * y + f.b1;
  const float y2 = f.l20 * x + f.l21 * y + f.l22 * z + f.b2;
  return y0 * y0 + y1 * y1 + y2 * y2;
}

float smoothed(const SiteForm& f, float squared) {
  const float inside = std::max(f.t2 - squared, 0.0F);
  return inside * inside * f.k + squared;
}

SiteForm formAt(const SiteTable& table, std::size_t s, std::size_t j) {
  const auto at = [&](std::size_t c) { return table.column[(c * table.site_count + s) * table.stride + j]; };
  return {at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9), at(10), at(11)};
}

// D^2: the (K+1)-th smallest squared distance at point i.
float referenceSquared(const WeightBlock& block, std::size_t i) {
  std::array<float, 9> nearest;
  nearest.fill(std::numeric_limits<float>::infinity());
  const auto k = static_cast<std::size_t>(block.max_influences);
  for (std::size_t a = 0; a < block.cells; ++a) {
    float v = block.squared[a * kBlock + i];
    for (std::size_t s = 0; s <= k; ++s) {
      const float smaller = std::min(v, nearest[s]);
      v = std::max(v, nearest[s]);
      nearest[s] = smaller;
    }
  }
  return nearest[k];
}

float logRaw(const WeightBlock& block, std::size_t a, float squared, float reference2) {
  if (!block.cuts) return -0.5F * block.falloff[a] * std::log(squared);
  const float d = std::sqrt(squared), above = std::max(block.slack[a], std::sqrt(reference2) - d);
  return above > 0 ? block.falloff[a] * std::log(above / d) : kNoRaw;
}

} // namespace

void cellDistances(const SiteForm* forms, const CellList& cells, const BlockPoints& points, float* squared,
                   std::int32_t* site) {
  for (std::size_t a = 0; a < cells.size(); ++a)
    for (std::size_t i = 0; i < kBlock; ++i) {
      float best = std::numeric_limits<float>::infinity();
      std::uint32_t best_site = 0;
      for (std::uint32_t e = cells.begin[a]; e < cells.begin[a + 1]; ++e) {
        const SiteForm& f = forms[cells.site[e]];
        const float h2 = smoothed(f, squaredDistance(f, points.x[i], points.y[i], points.z[i]));
        if (h2 < best) best = h2, best_site = cells.site[e];
      }
      squared[a * kBlock + i] = best;
      site[a * kBlock + i] = static_cast<std::int32_t>(best_site);
    }
}

void cellBounds(const SiteTable& table, const Ball& ball, float* site_lower2, float* lower2, float* upper2,
                float* far_log_raw) {
  for (std::size_t j = 0; j < table.stride; ++j) {
    float lower = std::numeric_limits<float>::infinity(), upper = lower;
    for (std::size_t s = 0; s < table.site_count; ++s) {
      const SiteForm f = formAt(table, s, j);
      const float d = std::sqrt(squaredDistance(f, ball.x, ball.y, ball.z)), reach = f.spread * ball.radius;
      const float nearest = std::max(d - reach, 0.0F), farthest = d + reach;
      const float site_lower = smoothed(f, nearest * nearest);
      site_lower2[s * table.stride + j] = site_lower;
      lower = std::min(lower, site_lower);
      upper = std::min(upper, smoothed(f, farthest * farthest));
    }
    lower2[j] = lower;
    upper2[j] = upper;
    far_log_raw[j] = table.falloff[j] * (table.log_slack[j] - 0.5F * std::log(lower));
  }
}

void referenceDistances(const WeightBlock& block) {
  for (std::size_t i = 0; i < kBlock; ++i) {
    block.reference2[i] = referenceSquared(block, i);
    block.top[i] = kNoRaw;
  }
}

void logRawWeights(const WeightBlock& block, std::size_t first_cell) {
  for (std::size_t a = first_cell; a < block.cells; ++a) {
    block.at_reference[a] = 0;
    for (std::size_t i = 0; i < kBlock; ++i) {
      const float squared = block.squared[a * kBlock + i];
      if (squared == block.reference2[i]) block.at_reference[a] |= 1U << i;
      block.log_raw[a * kBlock + i] = logRaw(block, a, squared, block.reference2[i]);
      block.top[i] = std::max(block.top[i], block.log_raw[a * kBlock + i]);
    }
  }
}

void softmaxWeights(const WeightBlock& block) {
  std::fill_n(block.keep, block.cells, 0U);
  for (std::size_t i = 0; i < kBlock; ++i) {
    float sum = 0, kept = 0;
    for (std::size_t a = 0; a < block.cells; ++a)
      sum += block.weight[a * kBlock + i] = std::exp(block.log_raw[a * kBlock + i] - block.top[i]);
    for (std::size_t a = 0; a < block.cells; ++a)
      if (const float w = block.weight[a * kBlock + i]; w > block.keep_above * sum) block.keep[a] |= 1U << i, kept += w;
    for (std::size_t a = 0; a < block.cells; ++a) block.weight[a * kBlock + i] /= kept;
  }
}

} // namespace skincells::kernels::scalar

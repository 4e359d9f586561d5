// The definitions of the field's hot loops.
#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <limits>

#include "kernels/parts.h"

namespace skincells::kernels::scalar {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

float squaredDistance(const SiteForm& f, float x, float y, float z) {
  const float y0 = f.l00 * x + f.b0;
  const float y1 = f.l10 * x + f.l11 * y + f.b1;
  const float y2 = f.l20 * x + f.l21 * y + f.l22 * z + f.b2;
  return y0 * y0 + y1 * y1 + y2 * y2;
}

// h^2.
float smoothedDistance(const SiteForm& f, float x, float y, float z) {
  const float squared = squaredDistance(f, x, y, z), inside = std::max(f.t2 - squared, 0.0F);
  return inside * inside * f.k + squared;
}

// The square of the factor for site `site` of joint j at point i.
float squaredFactor(const DistanceBlock& block, std::size_t site, std::size_t j, std::size_t i) {
  if (block.front.normals == nullptr) return 1;
  const BlockPoints& points = *block.points;
  const BlockNormals& n = *block.front.normals;
  const float* p = block.center + 4 * site;
  const float x = p[0] - points.x[i], y = p[1] - points.y[i], z = p[2] - points.z[i];
  const float toward = std::max(n.x[i] * x + n.y[i] * y + n.z[i] * z, 0.0F);
  const float cosine = toward / std::sqrt(x * x + y * y + z * z + kSmallestSquare);
  const float factor = 1 + block.front.factor[j] * cosine;
  return factor * factor;
}

SiteForm formAt(const SiteTable& table, std::size_t s, std::size_t j) {
  const float* of_site =
      table.column + (j / kJointGroup * table.site_count + s) * kSiteColumns * kJointGroup + j % kJointGroup;
  const auto at = [&](std::size_t c) { return of_site[c * kJointGroup]; };
  return {at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9), at(10)};
}

// Calls body(joint) for the joints of the groups.
template <class Body> void forEachJoint(std::span<const std::uint16_t> groups, const Body& body) {
  for (std::size_t group : groups)
    for (std::size_t j = group * kJointGroup; j < (group + 1) * kJointGroup; ++j) body(j);
}

float farWeight(const SiteTable& table, const float* lower, std::size_t j) {
  return table.falloff[j] * (table.log_slack[j] - std::log(std::max(lower[j], FLT_MIN)));
}

// Inserts a value into an ascending list of k + 1 values; the largest drops out.
void insert(float value, float* nearest, std::size_t step, std::size_t k) {
  for (std::size_t s = 0; s <= k; ++s) {
    float& held = nearest[s * step];
    const float smaller = std::min(value, held);
    value = std::max(value, held);
    held = smaller;
  }
}

float logRaw(const WeightBlock& block, std::size_t joint, float d, float reference2) {
  if (!block.cuts) return -block.falloff[joint] * std::log(d);
  const float above = std::max(block.slack[joint], std::sqrt(reference2) - d);
  return above > 0 ? block.falloff[joint] * std::log(above / d) : kLogZero;
}

void cellDistances(const DistanceBlock& block) {
  const BlockPoints& points = *block.points;
  for (std::size_t a = 0; a < block.joints.size(); ++a)
    for (std::size_t i = 0; i < kBlock; ++i) {
      const std::size_t first = block.joints[a] * block.site_count;
      float best = kInfinity;
      std::size_t best_site = 0;
      for (std::size_t e = first; e < first + block.site_count; ++e) {
        const float h2 = smoothedDistance(block.forms[e], points.x[i], points.y[i], points.z[i]);
        const float squared = h2 * squaredFactor(block, e, block.joints[a], i);
        if (squared < best) {
          best = squared;
          best_site = e;
        }
      }
      block.squared[a * kBlock + i] = best;
      block.site[a * kBlock + i] = static_cast<std::int32_t>(best_site);
    }
}

float cellBounds(const CellBounds& bounds) {
  const SiteTable& table = bounds.table;
  const Ball& ball = bounds.ball;
  std::array<float, 9> least;
  least.fill(kInfinity);
  const auto last = static_cast<std::size_t>(bounds.k);
  forEachJoint(bounds.groups, [&](std::size_t j) {
    float best = kInfinity;
    for (std::size_t s = 0; s < table.site_count; ++s)
      best = std::min(best, smoothedDistance(formAt(table, s, j), ball.x, ball.y, ball.z));
    const float d = std::sqrt(best), change = table.spread[j] * ball.radius;
    bounds.lower[j] = std::max(d - change, 0.0F);
    bounds.upper[j] = (d + change) * table.reach[j];
    insert(bounds.upper[j], least.data(), 1, last);
  });
  return least[last];
}

std::size_t listCells(const CellFilter& filter) {
  std::size_t count = 0;
  forEachJoint(filter.groups, [&](std::size_t j) {
    if (filter.value[j] <= filter.max_value && filter.upper[j] > filter.upper_above)
      filter.joints[count++] = static_cast<std::uint32_t>(j);
  });
  return count;
}

std::size_t listFarCells(const FarCellFilter& filter) {
  std::size_t count = 0;
  forEachJoint(filter.groups, [&](std::size_t j) {
    if (filter.lower[j] > filter.lower_above && filter.upper[j] > filter.upper_above &&
        farWeight(filter.table, filter.lower, j) >= filter.min_log_weight)
      filter.joints[count++] = static_cast<std::uint32_t>(j);
  });
  return count;
}

float largestFarWeight(const SiteTable& table, std::span<const std::uint16_t> groups, const float* lower) {
  float largest = kLogZero;
  forEachJoint(groups, [&](std::size_t j) { largest = std::max(largest, farWeight(table, lower, j)); });
  return largest;
}

float nearestDistances(const MeasuredCells& measured, std::size_t first_cell) {
  const auto k = static_cast<std::size_t>(measured.max_influences);
  if (first_cell == 0) std::fill_n(measured.nearest, (k + 1) * kBlock, kInfinity);
  for (std::size_t a = first_cell; a < measured.cells; ++a)
    for (std::size_t i = 0; i < kBlock; ++i) insert(measured.squared[a * kBlock + i], measured.nearest + i, kBlock, k);
  return *std::max_element(measured.reference2(), measured.reference2() + kBlock);
}

std::size_t splitByReference(const MeasuredCells& measured, std::uint32_t* near, std::uint32_t* far) {
  std::size_t near_count = 0, far_count = 0;
  for (std::uint32_t a = 0; a < measured.cells; ++a) {
    bool within = false;
    for (std::size_t i = 0; i < kBlock; ++i)
      within = within || measured.squared[a * kBlock + i] <= measured.reference2()[i];
    if (within)
      near[near_count++] = a;
    else
      far[far_count++] = a;
  }
  return near_count;
}

float logRawWeights(const WeightBlock& block, std::size_t first_cell) {
  if (first_cell == 0) std::fill_n(block.top, kBlock, kLogZero);
  for (std::size_t a = first_cell; a < block.cells; ++a) {
    block.at_reference[a] = 0;
    for (std::size_t i = 0; i < kBlock; ++i) {
      const std::size_t at = a * kBlock + i, slot = block.slot[a];
      const float squared = block.squared[slot * kBlock + i];
      if (squared == block.reference2[i]) block.at_reference[a] |= 1U << i;
      block.distance[at] = std::sqrt(squared);
      block.log_raw[at] = logRaw(block, block.joint[slot], block.distance[at], block.reference2[i]);
      block.top[i] = std::max(block.top[i], block.log_raw[at]);
    }
  }
  return *std::min_element(block.top, block.top + kBlock);
}

void softmaxWeights(const WeightBlock& block) {
  std::fill_n(block.keep, block.cells, 0U);
  std::fill_n(block.kept, kBlock, 0);
  const float min_log = block.keep_above > 0 ? std::log(block.keep_above) : -104.0F;
  for (std::size_t i = 0; i < kBlock; ++i) {
    float sum = 0, kept = 0;
    for (std::size_t a = 0; a < block.cells; ++a) {
      const float below_top = block.log_raw[a * kBlock + i] - block.top[i];
      const float raw = below_top > min_log ? std::exp(below_top) : 0.0F;
      block.weight[a * kBlock + i] = raw;
      sum += raw;
    }
    for (std::size_t a = 0; a < block.cells; ++a) {
      float& w = block.weight[a * kBlock + i];
      if (w > block.keep_above * sum) {
        block.keep[a] |= 1U << i;
        ++block.kept[i];
        kept += w;
      } else {
        w = 0;
      }
    }
    for (std::size_t a = 0; a < block.cells; ++a) block.weight[a * kBlock + i] /= kept;
  }
}

} // namespace

void setFieldBlock(Kernels& table) {
  table.cellDistances = cellDistances;
  table.cellBounds = cellBounds;
  table.listCells = listCells;
  table.listFarCells = listFarCells;
  table.largestFarWeight = largestFarWeight;
  table.nearestDistances = nearestDistances;
  table.splitByReference = splitByReference;
  table.logRawWeights = logRawWeights;
  table.softmaxWeights = softmaxWeights;
}

} // namespace skincells::kernels::scalar

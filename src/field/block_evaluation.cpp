#include "field/block_evaluation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace skincells::field {
namespace {

constexpr float kRounding = 1.00001F;

} // namespace

void BlockEvaluator::begin(const CompiledField& field, const PointBlocks& points, float keep_above) {
  field_ = &field, points_ = &points, keep_above_ = keep_above;
  all_near_ = !field.cuts() || (field.mode == FieldMode::Relaxed && keep_above <= 0);
  run_ = kNoRun;
  const std::size_t padded = field.groupCount() * kernels::kJointGroup;
  if (lower_.size() == padded) return;
  lower_.resize(padded), upper_.resize(padded);
  joint.resize(padded), keep.resize(padded), within.resize(padded), at_reference.resize(padded);
  falloff_.resize(padded), slack_.resize(padded);
  const std::size_t size = padded * kernels::kBlock;
  squared.resize(size), log_raw.resize(size), weight.resize(size), site.resize(size);
  inverse_distance.resize(size), by_distance.resize(size), by_reference.resize(size);
}

// D is the (K+1)-th smallest distance. It is at most the (K+1)-th smallest upper bound, and cells that stay beyond
// that never decide it.
void BlockEvaluator::beginRun(std::size_t run) {
  run_ = run;
  groups_.resize(field_->groupCount());
  std::iota(groups_.begin(), groups_.end(), std::uint16_t{0});
  idle_groups_.clear();
  if (all_near_ || groups_.size() == 1) return;
  const float limit = kernels::cellBounds(field_->table(), points_->run_balls[run], groups_, field_->max_influences,
                                          lower_.data(), upper_.data());
  std::erase_if(groups_, [&](std::uint16_t group) {
    const float* of_group = lower_.data() + group * kernels::kJointGroup;
    const bool idle = *std::min_element(of_group, of_group + kernels::kJointGroup) > kRounding * limit;
    if (idle) idle_groups_.push_back(group);
    return idle;
  });
  idle_far_weight_ = kernels::largestFarWeight(field_->table(), idle_groups_, lower_.data());
}

kernels::WeightBlock BlockEvaluator::view() {
  return {.cells = cells(),
          .max_influences = field_->max_influences,
          .cuts = field_->cuts(),
          .keep_above = keep_above_,
          .squared = squared.data(),
          .falloff = falloff_.data(),
          .slack = slack_.data(),
          .nearest = nearest,
          .top = top,
          .log_raw = log_raw.data(),
          .within = within.data(),
          .at_reference = at_reference.data(),
          .weight = weight.data(),
          .keep = keep.data()};
}

template <class List> void BlockEvaluator::add(const List& list, const kernels::BlockPoints& points) {
  const std::size_t before = cell_count_, first = before * kernels::kBlock;
  cell_count_ += list(joint.data() + before);
  for (std::size_t a = before; a < cell_count_; ++a)
    falloff_[a] = field_->falloff[joint[a]], slack_[a] = field_->slack[joint[a]];
  kernels::cellDistances(field_->forms.data(), field_->layout.sitesPerJoint(),
                         std::span(joint).subspan(before, cell_count_ - before), points, squared.data() + first,
                         site.data() + first);
}

void BlockEvaluator::swapCells(std::size_t a, std::size_t b) {
  const auto swapBlocks = [a, b](auto& values) {
    std::swap_ranges(values.begin() + a * kernels::kBlock, values.begin() + (a + 1) * kernels::kBlock,
                     values.begin() + b * kernels::kBlock);
  };
  swapBlocks(squared), swapBlocks(site);
  std::swap(joint[a], joint[b]), std::swap(falloff_[a], falloff_[b]), std::swap(slack_[a], slack_[b]);
  std::swap(within[a], within[b]), std::swap(at_reference[a], at_reference[b]);
}

std::size_t BlockEvaluator::nearFirst() {
  std::size_t near = 0;
  for (std::size_t a = 0; a < cells(); ++a)
    if (within[a] != 0) {
      if (a != near) swapCells(a, near);
      ++near;
    }
  return near;
}

// Beyond D the raw weight is (c / d)^r, and d more than the smallest D.
void BlockEvaluator::dropLightCells(std::size_t first, float needed) {
  const float log_reference = 0.5F * std::log(*std::min_element(reference2(), reference2() + kernels::kBlock));
  std::size_t kept = first;
  for (std::size_t a = first; a < cells(); ++a) {
    const std::size_t j = joint[a];
    if (field_->falloff[j] * (field_->log_slack[j] - log_reference) < needed) continue;
    if (a != kept) swapCells(a, kept);
    ++kept;
  }
  cell_count_ = kept;
}

// Cells beyond D matter where they can exceed `keep_above` of the largest raw weight of a near cell. `within` and
// `limit` are what the measured cells were listed by.
void BlockEvaluator::addFarCells(const kernels::BlockPoints& points, float within_distance, float limit, float needed) {
  const std::size_t measured = cells();
  const auto list = [&](std::span<const std::uint16_t> groups, float above, float upper_above) {
    add(
        [&](std::uint16_t* out) {
          return kernels::listFarCells(field_->table(), groups, lower_.data(), above, upper_.data(), upper_above,
                                       needed, out);
        },
        points);
  };
  list(groups_, within_distance, limit);
  if (!idle_groups_.empty() && idle_far_weight_ >= needed) list(idle_groups_, -1, -1);
  std::fill(within.begin() + measured, within.begin() + cells(), 0U);
  std::fill(at_reference.begin() + measured, at_reference.begin() + cells(), 0U);
}

// Gives point i the nearest K cells in equal parts.
void BlockEvaluator::shareEqually(std::size_t i) {
  const std::uint32_t bit = 1U << i;
  const auto at = [&](std::size_t a) { return squared[a * kernels::kBlock + i]; };
  for (std::size_t a = 0; a < cells(); ++a) keep[a] &= ~bit;
  for (int taken = 0; taken < field_->max_influences; ++taken) {
    std::size_t best = cells();
    for (std::size_t a = 0; a < cells(); ++a)
      if ((keep[a] & bit) == 0 &&
          (best == cells() || at(a) < at(best) || (at(a) == at(best) && joint[a] < joint[best])))
        best = a;
    keep[best] |= bit;
    weight[best * kernels::kBlock + i] = 1.0F / static_cast<float>(field_->max_influences);
  }
}

void BlockEvaluator::evaluate(std::size_t block) {
  if (run_ != block / kRun) beginRun(block / kRun);
  const kernels::BlockPoints& points = points_->blocks[block];
  cell_count_ = 0;
  const float bound = kernels::cellBounds(field_->table(), points_->balls[block], groups_, field_->max_influences,
                                          lower_.data(), upper_.data());
  // First the K + 1 cells that are nearest for sure. Their own (K+1)-th smallest distance is no less than D at any
  // point, and closer to it than any bound over the block; so it tells best which others may be nearer.
  const float limit = all_near_ ? 1e14F : kRounding * bound;
  const auto listNear = [&](const float* value, float most, float above) {
    return [this, value, most, above](std::uint16_t* out) {
      return kernels::listCells(groups_, value, most, upper_.data(), above, out);
    };
  };
  add(listNear(upper_.data(), limit, -1), points);
  const float within_distance = kRounding * std::sqrt(kernels::nearestDistances(view(), 0));
  if (!all_near_) {
    const std::size_t first = cells();
    add(listNear(lower_.data(), within_distance, limit), points);
    kernels::nearestDistances(view(), first);
  }
  kernels::compareWithReference(view(), 0);
  const std::size_t measured = cells(), near = all_near_ ? measured : nearFirst();
  cell_count_ = near;
  const float lowest_top = kernels::logRawWeights(view(), 0);
  if (!all_near_ && field_->mode == FieldMode::Relaxed) {
    cell_count_ = measured;
    const float needed = lowest_top + std::log(keep_above_) - 1e-3F;
    dropLightCells(near, needed);
    addFarCells(points, within_distance, limit, needed);
    kernels::logRawWeights(view(), near);
  }
  kernels::softmaxWeights(view());
  for (std::size_t i = 0; i < kernels::kBlock; ++i)
    if (top[i] == kernels::kNoRaw) shareEqually(i);
}

void BlockEvaluator::findSlopes() {
  kernels::weightSlopes(view(), {inverse_distance.data(), by_distance.data(), by_reference.data()});
}

} // namespace skincells::field

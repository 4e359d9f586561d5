#include "field/block_evaluation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace skincells::field {
namespace {

constexpr float kRounding = 1.00001F;
constexpr float kBeyondAll = 1e14F; // the joints that fill up the last group are farther

} // namespace

void BlockEvaluator::begin(const CompiledField& field, const PointBlocks& points, float keep_above) {
  field_ = &field, points_ = &points, keep_above_ = keep_above;
  all_near_ = !field.cuts() || (field.mode == FieldMode::Relaxed && keep_above <= 0);
  run_ = kNoRun;
  const std::size_t padded = field.groupCount() * kernels::kJointGroup;
  if (lower_.size() == padded) return;
  lower_.resize(padded), upper_.resize(padded);
  const std::size_t slots = padded + kernels::kJointGroup; // the lists want room for more
  slot.resize(slots), joint.resize(slots), far_.resize(slots), at_reference.resize(slots), keep.resize(slots);
  const std::size_t size = padded * kernels::kBlock;
  squared.resize(size), site.resize(size), distance.resize(size), log_raw.resize(size), weight.resize(size);
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

kernels::MeasuredCells BlockEvaluator::measured() {
  return {.cells = measured_count_,
          .max_influences = field_->max_influences,
          .squared = squared.data(),
          .nearest = nearest_};
}

kernels::WeightBlock BlockEvaluator::weighed() {
  return {.cells = cell_count_,
          .cuts = field_->cuts(),
          .keep_above = keep_above_,
          .slot = slot.data(),
          .joint = joint.data(),
          .squared = squared.data(),
          .reference2 = reference2(),
          .falloff = field_->falloff.data(),
          .slack = field_->slack.data(),
          .top = top,
          .distance = distance.data(),
          .at_reference = at_reference.data(),
          .log_raw = log_raw.data(),
          .weight = weight.data(),
          .keep = keep.data(),
          .kept = kept};
}

template <class List> void BlockEvaluator::measure(const List& list, const kernels::BlockPoints& points) {
  const std::size_t before = measured_count_, first = before * kernels::kBlock;
  measured_count_ += list(joint.data() + before);
  kernels::cellDistances(field_->forms.data(), field_->layout.sitesPerJoint(),
                         std::span(joint).subspan(before, measured_count_ - before), points, squared.data() + first,
                         site.data() + first);
}

void BlockEvaluator::takeNearCells() {
  cell_count_ = measured_count_;
  if (all_near_)
    std::iota(slot.begin(), slot.begin() + static_cast<std::ptrdiff_t>(cell_count_), 0U);
  else
    cell_count_ = kernels::splitByReference(measured(), slot.data(), far_.data());
}

void BlockEvaluator::takeFarCells(const kernels::BlockPoints& points, float within_distance, float limit,
                                  float needed) {
  // Beyond D the raw weight is (c / d)^r, and d more than the smallest D.
  const float log_reference = 0.5F * std::log(*std::min_element(reference2(), reference2() + kernels::kBlock));
  const std::size_t far = measured_count_ - cell_count_;
  for (std::size_t i = 0; i < far; ++i) {
    const std::size_t j = joint[far_[i]];
    slot[cell_count_] = far_[i];
    cell_count_ += field_->falloff[j] * (field_->log_slack[j] - log_reference) >= needed ? 1 : 0;
  }
  const std::size_t before = measured_count_;
  const auto list = [&](std::span<const std::uint16_t> groups, float above, float upper_above) {
    measure(
        [&](std::uint32_t* out) {
          return kernels::listFarCells(field_->table(), groups, lower_.data(), above, upper_.data(), upper_above,
                                       needed, out);
        },
        points);
  };
  list(groups_, within_distance, limit);
  if (!idle_groups_.empty() && idle_far_weight_ >= needed) list(idle_groups_, -1, -1);
  for (std::size_t s = before; s < measured_count_; ++s) slot[cell_count_++] = static_cast<std::uint32_t>(s);
}

// Gives point i the nearest K cells in equal parts; fewer where float32 cannot measure more.
void BlockEvaluator::shareEqually(std::size_t i) {
  const std::uint32_t bit = 1U << i;
  const auto nearer = [&](std::size_t a, std::size_t b) {
    const float at_a = squared[slot[a] * kernels::kBlock + i], at_b = squared[slot[b] * kernels::kBlock + i];
    return at_a < at_b || (at_a == at_b && joint[slot[a]] < joint[slot[b]]);
  };
  for (std::size_t a = 0; a < cells(); ++a) keep[a] &= ~bit;
  kept[i] = static_cast<std::int32_t>(std::min(cells(), static_cast<std::size_t>(field_->max_influences)));
  for (int taken = 0; taken < kept[i]; ++taken) {
    std::size_t best = cells();
    for (std::size_t a = 0; a < cells(); ++a)
      if ((keep[a] & bit) == 0 && (best == cells() || nearer(a, best))) best = a;
    keep[best] |= bit;
    weight[best * kernels::kBlock + i] = 1.0F / static_cast<float>(kept[i]);
  }
}

void BlockEvaluator::evaluate(std::size_t block) {
  if (run_ != block / kRun) beginRun(block / kRun);
  const kernels::BlockPoints& points = points_->blocks[block];
  measured_count_ = 0;
  const float bound = kernels::cellBounds(field_->table(), points_->balls[block], groups_, field_->max_influences,
                                          lower_.data(), upper_.data());
  // First the K + 1 cells that are nearest for sure. Their own (K+1)-th smallest distance is no less than D at any
  // point, and closer to it than any bound over the block; so it tells best which others may be nearer.
  const float limit = all_near_ ? kBeyondAll : std::min(kRounding * bound, kBeyondAll);
  const auto listNear = [&](const float* value, float most, float above) {
    return [this, value, most, above](std::uint32_t* out) {
      return kernels::listCells(groups_, value, most, upper_.data(), above, out);
    };
  };
  measure(listNear(upper_.data(), limit, -1), points);
  const float within_distance = kRounding * std::sqrt(kernels::nearestDistances(measured(), 0));
  if (!all_near_) {
    const std::size_t first = measured_count_;
    measure(listNear(lower_.data(), within_distance, limit), points);
    kernels::nearestDistances(measured(), first);
  }
  takeNearCells();
  const std::size_t near = cells();
  const float lowest_top = kernels::logRawWeights(weighed(), 0);
  if (!all_near_ && field_->mode == FieldMode::Relaxed) {
    takeFarCells(points, within_distance, limit, lowest_top + std::log(keep_above_) - 1e-3F);
    kernels::logRawWeights(weighed(), near);
  }
  kernels::softmaxWeights(weighed());
  for (std::size_t i = 0; i < kernels::kBlock; ++i)
    if (top[i] == kernels::kNoRaw) shareEqually(i);
}

} // namespace skincells::field

#include "field/block_evaluation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace skincells::field {
namespace {

constexpr float kRoundingFactor = 1.00001F;
constexpr float kMaxDistance = 1e14F; // the joints that pad the last group are farther away

} // namespace

void BlockEvaluator::begin(const CompiledField& field, const PointBlocks& points, float keep_above) {
  kernels_ = &kernels::active();
  field_ = &field;
  points_ = &points;
  keep_above_ = keep_above;
  all_near_ = !field.cuts() || (field.mode == FieldMode::Relaxed && keep_above <= 0);
  run_ = kNoRun;
  const std::size_t padded = field.groupCount() * kernels::kJointGroup;
  if (lower_.size() == padded) return;
  for (auto* by_joint : {&lower_, &upper_}) by_joint->resize(padded);
  const std::size_t slots = padded + kernels::kJointGroup; // room that the filters need, see kernels::CellFilter
  for (auto* by_slot : {&slot, &joint, &far_, &at_reference, &keep}) by_slot->resize(slots);
  const std::size_t size = padded * kernels::kBlock;
  for (auto* by_point : {&squared, &distance, &log_raw, &weight}) by_point->resize(size);
  site.resize(size);
}

// D, the (K+1)-th smallest distance, is at most the (K+1)-th smallest upper bound. Cells that are farther than that
// throughout the run cannot determine it.
void BlockEvaluator::beginRun(std::size_t run) {
  run_ = run;
  groups_.resize(field_->groupCount());
  std::iota(groups_.begin(), groups_.end(), std::uint16_t{0});
  idle_groups_.clear();
  if (all_near_ || groups_.size() == 1) return;
  const float limit = bounds(points_->run_balls[run]);
  std::erase_if(groups_, [&](std::uint16_t group) {
    const float* of_group = lower_.data() + group * kernels::kJointGroup;
    const bool idle = *std::min_element(of_group, of_group + kernels::kJointGroup) > kRoundingFactor * limit;
    if (idle) idle_groups_.push_back(group);
    return idle;
  });
  idle_far_weight_ = kernels_->largestFarWeight(field_->table(), idle_groups_, lower_.data());
}

float BlockEvaluator::bounds(const kernels::Ball& ball) {
  return kernels_->cellBounds({.table = field_->table(),
                               .ball = ball,
                               .groups = groups_,
                               .k = field_->max_influences,
                               .lower = lower_.data(),
                               .upper = upper_.data()});
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

template <class List> void BlockEvaluator::measure(const List& list, std::size_t block) {
  const std::size_t before = measured_count_, first = before * kernels::kBlock;
  measured_count_ += list(joint.data() + before);
  kernels_->cellDistances({.forms = field_->forms.data(),
                           .site_count = field_->layout.sitesPerJoint(),
                           .joints = std::span(joint).subspan(before, measured_count_ - before),
                           .points = &points_->blocks[block],
                           .front = field_->frontView(points_->normalsOf(block)),
                           .center = field_->center.data(),
                           .squared = squared.data() + first,
                           .site = site.data() + first});
}

void BlockEvaluator::takeNearCells() {
  cell_count_ = measured_count_;
  if (all_near_)
    std::iota(slot.begin(), slot.begin() + static_cast<std::ptrdiff_t>(cell_count_), 0U);
  else
    cell_count_ = kernels_->splitByReference(measured(), slot.data(), far_.data());
}

void BlockEvaluator::takeFarCells(std::size_t block, float max_distance, float limit, float min_log_weight) {
  // Beyond D the raw weight is (c / d)^r, and d exceeds the smallest D of the block.
  const float log_reference = 0.5F * std::log(*std::min_element(reference2(), reference2() + kernels::kBlock));
  const std::size_t far = measured_count_ - cell_count_;
  for (std::size_t i = 0; i < far; ++i) {
    const std::size_t j = joint[far_[i]];
    slot[cell_count_] = far_[i];
    cell_count_ += field_->falloff[j] * (field_->log_slack[j] - log_reference) >= min_log_weight ? 1 : 0;
  }
  const std::size_t before = measured_count_;
  const auto list = [&](std::span<const std::uint16_t> groups, float lower_above, float upper_above) {
    measure(
        [&](std::uint32_t* out) {
          return kernels_->listFarCells({.table = field_->table(),
                                         .groups = groups,
                                         .lower = lower_.data(),
                                         .lower_above = lower_above,
                                         .upper = upper_.data(),
                                         .upper_above = upper_above,
                                         .min_log_weight = min_log_weight,
                                         .joints = out});
        },
        block);
  };
  list(groups_, max_distance, limit);
  if (!idle_groups_.empty() && idle_far_weight_ >= min_log_weight) list(idle_groups_, -1, -1);
  for (std::size_t s = before; s < measured_count_; ++s) slot[cell_count_++] = static_cast<std::uint32_t>(s);
}

// Gives point i the nearest K cells with equal weights; fewer if float32 cannot measure that many.
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
  measured_count_ = 0;
  const float bound = bounds(points_->balls[block]);
  // First measure K + 1 cells whose upper bounds are smallest. Their (K+1)-th smallest distance is at least D at every
  // point, and closer to D than any bound over the block, so it is the best criterion for which others may be nearer.
  const float limit = all_near_ ? kMaxDistance : std::min(kRoundingFactor * bound, kMaxDistance);
  const auto listNear = [&](const float* value, float max_value, float upper_above) {
    return [this, value, max_value, upper_above](std::uint32_t* out) {
      return kernels_->listCells({.groups = groups_,
                                  .value = value,
                                  .max_value = max_value,
                                  .upper = upper_.data(),
                                  .upper_above = upper_above,
                                  .joints = out});
    };
  };
  measure(listNear(upper_.data(), limit, -1), block);
  const float max_distance = kRoundingFactor * std::sqrt(kernels_->nearestDistances(measured(), 0));
  if (!all_near_) {
    const std::size_t first = measured_count_;
    measure(listNear(lower_.data(), max_distance, limit), block);
    kernels_->nearestDistances(measured(), first);
  }
  takeNearCells();
  const std::size_t near = cells();
  const float lowest_top = kernels_->logRawWeights(weighed(), 0);
  if (!all_near_ && field_->mode == FieldMode::Relaxed) {
    takeFarCells(block, max_distance, limit, lowest_top + std::log(keep_above_) - 1e-3F);
    kernels_->logRawWeights(weighed(), near);
  }
  kernels_->softmaxWeights(weighed());
  for (std::size_t i = 0; i < kernels::kBlock; ++i)
    if (top[i] == kernels::kLogZero) shareEqually(i);
}

} // namespace skincells::field

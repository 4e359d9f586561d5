// The weights of one block of points, before they are gathered into rows.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "field/compiled.h"
#include "field/point_blocks.h"
#include "kernels/kernels.h"

namespace skincells::field {

// Evaluates one block after another; each thread has a separate evaluator.
//
// Weights up to `keep_above` of a point's sum are dropped and the kept ones sum to 1, so the relative error of a kept
// weight is at most n * keep_above for n joints. Cells are skipped for the whole block only if a bound proves that all
// their weights would be dropped. With keep_above = 0 relaxed weights are exact. Points where all raw weights are 0
// keep the nearest K cells, lower joint first, with equal weights.
class BlockEvaluator {
public:
  // The arguments must outlive the evaluation and not change during it. It is cheapest to evaluate the blocks of a run
  // in order.
  void begin(const CompiledField& field, const PointBlocks& points, float keep_above);
  void evaluate(std::size_t block);

  // The result. Some cells are measured, and each of those has a slot. The first cells() entries of `slot` are the
  // slots of the cells that may have weight.
  std::size_t cells() const { return cell_count_; }
  std::vector<std::uint32_t> slot;               // by cell
  std::vector<std::uint32_t> joint;              // by slot
  std::vector<float> squared;                    // by slot and point
  std::vector<std::int32_t> site;                // by slot and point
  std::vector<float> distance, log_raw, weight;  // by cell and point
  std::vector<std::uint32_t> keep, at_reference; // by cell, one bit per point: see kernels::WeightBlock
  float top[kernels::kBlock] = {};               // by point
  std::int32_t kept[kernels::kBlock] = {};       // by point: number of kept cells
  const float* reference2() const {              // by point: D^2
    return nearest_ + static_cast<std::size_t>(field_->max_influences) * kernels::kBlock;
  }

private:
  void beginRun(std::size_t run);
  // Bounds of the cells of groups_ in a ball; see kernels::Kernels::cellBounds.
  float bounds(const kernels::Ball& ball);
  // Lists cells with `list(out)`, which returns their number, and measures their distances.
  template <class List> void measure(const List& list, std::size_t block);
  // Selects the measured cells whose distance is at most D at some point.
  void takeNearCells();
  // Also selects cells beyond D, measured or not, whose log raw weight can reach `min_log_weight`. `max_distance` and
  // `limit` are the thresholds by which the measured cells were listed.
  void takeFarCells(std::size_t block, float max_distance, float limit, float min_log_weight);
  kernels::MeasuredCells measured();
  kernels::WeightBlock weighed();
  void shareEqually(std::size_t i);

  static constexpr std::size_t kNoRun = std::numeric_limits<std::size_t>::max();

  const kernels::Kernels* kernels_ = nullptr;
  const CompiledField* field_ = nullptr;
  const PointBlocks* points_ = nullptr;
  float keep_above_ = 0;
  bool all_near_ = false; // every cell has to be measured
  std::size_t run_ = kNoRun, measured_count_ = 0, cell_count_ = 0;
  std::vector<std::uint16_t> groups_, idle_groups_; // groups of joints with and without a near cell in this run
  float idle_far_weight_ = 0;                       // the largest log raw weight that a cell of an idle group can have
  std::vector<float> lower_, upper_;                // by joint: bounds in the block; for idle groups, in the run
  std::vector<std::uint32_t> far_;                  // slots of measured cells beyond D
  float nearest_[9 * kernels::kBlock] = {};
};

} // namespace skincells::field

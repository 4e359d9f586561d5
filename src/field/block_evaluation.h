// The weights of one block of points, before they are gathered into rows.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "field/compiled.h"
#include "field/point_blocks.h"

namespace skincells::field {

// Evaluates one block after another; each thread keeps its own.
//
// Weights up to `keep_above` of a point's sum are left out and the kept ones sum to 1; so a kept weight is off by at
// most n * keep_above of itself, n the joint count. Cells are skipped for the whole block only where a bound proves
// that all their weights would be left out. With keep_above = 0 relaxed weights are exact. Points where all raw weights
// are 0 keep the nearest K cells, lower joint first, with equal weights.
class BlockEvaluator {
public:
  // Everything stays in place and unchanged until the last call. A run of blocks that the same evaluator evaluates in
  // order costs least.
  void begin(const CompiledField& field, const PointBlocks& points, float keep_above);
  void evaluate(std::size_t block);

  // The result. Distances are measured of some cells, each in a slot; the first cells() entries of `slot` name those
  // that weigh something.
  std::size_t cells() const { return cell_count_; }
  std::vector<std::uint32_t> slot;               // by cell
  std::vector<std::uint32_t> joint;              // by slot
  std::vector<float> squared;                    // by slot and point
  std::vector<std::int32_t> site;                // by slot and point
  std::vector<float> distance, log_raw, weight;  // by cell and point
  std::vector<std::uint32_t> keep, at_reference; // by cell, one bit per point
  float top[kernels::kBlock] = {};               // by point
  std::int32_t kept[kernels::kBlock] = {};       // by point: cells
  const float* reference2() const {              // by point: D^2
    return nearest_ + static_cast<std::size_t>(field_->max_influences) * kernels::kBlock;
  }

private:
  void beginRun(std::size_t run);
  // Lists cells with `list(out)`, which returns their number, and measures their distances.
  template <class List> void measure(const List& list, const kernels::BlockPoints& points);
  // Takes up the measured cells that are nearer than D at some point.
  void takeNearCells();
  // Takes up those beyond D that can weigh as much as `needed` (its logarithm), measured already or not. `within` and
  // `limit` are what the measured cells were listed by.
  void takeFarCells(const kernels::BlockPoints& points, float within, float limit, float needed);
  kernels::MeasuredCells measured();
  kernels::WeightBlock weighed();
  void shareEqually(std::size_t i);

  static constexpr std::size_t kNoRun = std::numeric_limits<std::size_t>::max();

  const CompiledField* field_ = nullptr;
  const PointBlocks* points_ = nullptr;
  float keep_above_ = 0;
  bool all_near_ = false; // no cell may be skipped
  std::size_t run_ = kNoRun, measured_count_ = 0, cell_count_ = 0;
  std::vector<std::uint16_t> groups_, idle_groups_; // of joints: with and without a cell that is near in the run
  float idle_far_weight_ = 0;                       // no cell of an idle group weighs more (its logarithm)
  std::vector<float> lower_, upper_;                // by joint: of the block; of the run for idle groups
  std::vector<std::uint32_t> far_;                  // slots of measured cells that are beyond D
  float nearest_[9 * kernels::kBlock] = {};
};

} // namespace skincells::field

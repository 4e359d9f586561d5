// The weight rows of evaluated blocks, and their reverse pass.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "field/block_evaluation.h"

namespace skincells::field {

// Sums of derivatives over some blocks, for the joints that contribute to them.
struct BlockSums {
  std::vector<float> sites, joints;  // kernels::kSiteSums by site, kernels::kJointSums by joint
  std::vector<float> fronts;         // kernels::kFrontSums by site; empty if the field does not see normals
  std::vector<std::uint8_t> touched; // by joint; 0: its sums are unspecified

  void begin(const FieldLayout& layout);
};

// The rows of a run of blocks, one per point, each with its entries in the order of the cells. Also holds the data for
// their reverse pass, by cell.
class BlockRows {
public:
  void clear();
  // Adds the first `points` points of the block that was evaluated last.
  void add(const BlockEvaluator& block, std::size_t points);

  std::span<const std::uint32_t> first() const { return first_; } // where a point's entries begin; one more at the end
  std::size_t entries() const { return first_.back(); }
  std::span<const std::uint16_t> joints() const { return std::span(joint_).first(entries()); } // by entry
  std::span<const float> weights() const { return std::span(weight_).first(entries()); }       // by entry

  // Adds to the sums. `first_block` is the one that was added first; the others follow it. `gradient` is dL/d(weight)
  // by entry.
  void reverse(const CompiledField& field, const PointBlocks& points, std::size_t first_block, const float* gradient,
               BlockSums& sums) const;

private:
  void makeRoom(std::size_t cells, std::size_t entries);
  // Adds the cells that a point of `points` keeps, and those whose distance is D at a point of `live`.
  void addCells(const BlockEvaluator& block, std::uint32_t points, std::uint32_t live);
  void addEntries(const BlockEvaluator& block, std::size_t first_cell, std::size_t points);

  std::vector<std::uint32_t> first_ = {0};
  std::vector<std::uint32_t> cells_; // number of cells by block
  std::vector<float> reference2_;    // by block and point
  std::size_t cell_count_ = 0;       // of all blocks
  // These vectors may be longer than needed.
  std::vector<std::uint32_t> cell_joint_, cell_keep_, at_reference_; // by cell
  std::vector<float> distance_, log_raw_, cell_weight_;              // by cell and point
  std::vector<std::int32_t> site_;                                   // by cell and point
  std::vector<std::uint16_t> joint_;                                 // by entry
  std::vector<std::uint32_t> place_;                                 // by entry: its index [cell][point] in its block
  std::vector<float> weight_;                                        // by entry
};

} // namespace skincells::field

// Points grouped into blocks for the kernels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/field_block.h"
#include "skincells/field.h"

namespace skincells::field {

enum class PointOrder {
  AsGiven, // blocks of consecutive points; no setup cost
  Spatial, // nearby points share a block, so that fewer cells matter in each; pays off in repeated evaluation
};

inline constexpr std::size_t kRun = 8; // blocks per run; a run shares a first selection of near cells

struct PointBlocks {
  std::size_t count = 0;                      // points
  std::vector<std::uint32_t> order;           // the points in the order of the blocks
  std::vector<kernels::BlockPoints> blocks;   // the last one is padded with copies of the last point
  std::vector<kernels::BlockNormals> normals; // one per block; empty: the points have none
  std::vector<kernels::Ball> balls;           // around each block's points, with a margin for rounding
  std::vector<kernels::Ball> run_balls;       // the same for each run of kRun blocks

  // Number of points in block b; they are order[b * kBlock] and following.
  std::size_t pointsIn(std::size_t b) const {
    return b + 1 < blocks.size() ? kernels::kBlock : count - b * kernels::kBlock;
  }
  const kernels::BlockNormals* normalsOf(std::size_t b) const { return normals.empty() ? nullptr : &normals[b]; }
};

// The positions are in unit-box coordinates; all numbers must be finite.
PointBlocks makePointBlocks(const FieldPoints& unit_points, PointOrder order);

} // namespace skincells::field

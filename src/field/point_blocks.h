// Points in blocks for the kernels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/field_block.h"
#include "skincells/math.h"

namespace skincells::field {

enum class PointOrder {
  AsGiven, // blocks of consecutive points: no set-up cost
  Spatial, // neighbors share a block: fewer cells matter in each, worth it for repeated evaluation
};

inline constexpr std::size_t kRun = 8; // blocks that share a first look at which cells are near

struct PointBlocks {
  std::size_t count = 0;                    // points
  std::vector<std::uint32_t> order;         // place -> point
  std::vector<kernels::BlockPoints> blocks; // the last one is filled up with copies of the last point
  std::vector<kernels::Ball> balls;         // around each block's points, rounding included
  std::vector<kernels::Ball> run_balls;     // the same for runs of kRun blocks

  // The points at the places of block b: [b * kBlock, b * kBlock + pointsIn(b)).
  std::size_t pointsIn(std::size_t b) const {
    return b + 1 < blocks.size() ? kernels::kBlock : count - b * kernels::kBlock;
  }
};

// Points in unit-box coordinates; they must be finite.
PointBlocks makePointBlocks(std::span<const Vec3f> unit_points, PointOrder order);

} // namespace skincells::field

// The weights of one block of points, before they are gathered into rows.
#pragma once

#include <cstdint>
#include <vector>

#include "field/compiled.h"
#include "field/point_blocks.h"

namespace skincells::field {

// Buffers for one block after another; each thread keeps its own.
struct BlockScratch {
  // Bounds over the block, by joint (padded) or by site and joint.
  std::vector<float> site_lower2, lower2, upper2, far_log_raw;

  // The cells that can matter and their sites: first the near ones, that may be among the K + 1 nearest somewhere in
  // the block, then those beyond whose slack lifts them high enough; joints ascend in either part.
  std::vector<std::uint16_t> joint; // by cell
  std::vector<std::uint32_t> site_begin, sites;
  std::vector<float> falloff, slack; // by cell

  // By cell and point.
  std::vector<float> squared, log_raw, weight;
  std::vector<std::int32_t> site;
  // By cell: one bit per point.
  std::vector<std::uint32_t> keep, at_reference;
  // By point.
  float reference2[kernels::kBlock] = {}, top[kernels::kBlock] = {};

  std::size_t cells() const { return joint.size(); }
};

// Evaluates one block. Weights up to `keep_above` of a point's sum are left out and the kept ones sum to 1; so a kept
// weight is off by at most n * keep_above of itself, n the joint count. Cells are skipped for the whole block only
// where a bound proves that all their weights would be left out. With keep_above = 0 relaxed weights are exact.
// Points where all raw weights are 0 keep the nearest K cells, lower joint first, with equal weights.
void evaluateBlock(const CompiledField& field, const PointBlocks& points, std::size_t block, float keep_above,
                   BlockScratch& scratch);

} // namespace skincells::field

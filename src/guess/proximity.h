// The baseline of Larionov et al. 2025 ("SkinCells: Sparse Skinning using Voronoi Cells"): the K nearest joints by
// bone segment, weighted 1/d^3.5.
#pragma once

#include <span>
#include <vector>

#include "rig/bones.h"
#include "skincells/math.h"
#include "skincells/weights.h"

namespace skincells::guess {

struct ProximityOptions {
  int max_influences = 4; // K
  double power = 3.5;     // of the distance
};

// One row per position, nearest joint first, rows sum to 1. A position on one or more bones follows those alone, in
// equal parts. Only ratios of distances enter, so the unit of length does not matter.
// bones: what may attract a vertex, at least one segment.
SparseWeights proximityWeights(std::span<const Vec3f> positions, std::vector<rig::BoneSegment> bones,
                               const ProximityOptions& options = {});

} // namespace skincells::guess

// Rows for vertices that have none.
#pragma once

#include <cstdint>
#include <span>

#include "skincells/math.h"
#include "skincells/weights.h"

namespace skincells::metrics {

// Gives every vertex whose row is all zero the row of the nearest vertex that has weight (ties: lowest index).
// Returns how many rows were empty; where all are, they stay so.
std::uint32_t fillUnweighted(std::span<const Vec3f> positions, SparseWeights& weights);

} // namespace skincells::metrics

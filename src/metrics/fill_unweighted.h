// Rows for vertices without weights.
#pragma once

#include <cstdint>
#include <span>

#include "skincells/math.h"
#include "skincells/weights.h"

namespace skincells::metrics {

// Gives every vertex whose row is all zero the row of the nearest vertex that has weight (ties: lowest index).
// Returns the number of empty rows; if all are empty, nothing changes.
std::uint32_t fillUnweighted(std::span<const Vec3f> positions, SparseWeights& weights);

} // namespace skincells::metrics

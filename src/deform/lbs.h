// Linear blend skinning: x = sum over the influences of a vertex of w_j * T_j(rest position).
#pragma once

#include <span>

#include "skincells/math.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::deform {

// Skins every rest position with its row of weights. Weights are not normalized: a row that does not sum to 1 scales
// the position, a row without weights gives the origin. Sums are in double precision, in the order of the slots.
// rest, out: one element per row of `weights`; they must not overlap. pose: has every joint with a non-zero weight.
void skin(std::span<const Vec3f> rest, const SparseWeights& weights, const Pose& pose, std::span<Vec3f> out);

} // namespace skincells::deform

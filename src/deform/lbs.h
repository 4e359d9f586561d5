// Linear blend skinning: x = sum over the influences of a vertex of w_j * T_j(rest position).
#pragma once

#include <span>

#include "skincells/math.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::deform {

// Skins every rest position with its row of weights. Weights are used as they are: rows that do not sum to 1 shrink
// or grow, rows without weight end at the origin. Sums run in double precision, slot by slot.
// rest, out: one element per row of `weights`; they may not overlap. pose: covers every joint of a weighted slot.
void skin(std::span<const Vec3f> rest, const SparseWeights& weights, const Pose& pose, std::span<Vec3f> out);

} // namespace skincells::deform

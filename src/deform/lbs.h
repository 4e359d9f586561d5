// Linear blend skinning.
#pragma once

#include <span>

#include "skincells/math.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::deform {

// out[v] = sum over slots k of weight * pose[joint] applied to rest[v]. Rows that sum to zero leave the vertex where
// it is. One row and one output per rest position; joints index the pose.
void skin(std::span<const Vec3f> rest, const SparseWeights& weights, const Pose& pose, std::span<Vec3f> out);

} // namespace skincells::deform

// Fewer influences per vertex at the least cost in poses.
#pragma once

#include <span>

#include "skincells/math.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::derive {

// Rows of at most `max_influences` joints that bring each vertex as near as they can to where its full row brings it,
// in the least squares over the poses. Influences are given up one at a time, the one that is missed least first, and
// the weights of the others solved for again; a plain cut would keep their proportions. Rows that are short enough
// stay as they are.
SparseWeights reduceInfluences(std::span<const Vec3f> positions, const SparseWeights& weights,
                               const std::vector<Pose>& poses, int max_influences);

} // namespace skincells::derive

// Doing without joints: their weight goes to the nearest ancestor that carries weight.
#pragma once

#include <span>
#include <vector>

#include "skincells/levels.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::levels {

// Merges joints, the one that is missed least in the poses first, until at most `most` carry weight or none has an
// ancestor that does. Returns what was merged, in order. diagonal: of the mesh.
std::vector<MergedJoint> mergeJoints(std::span<const Vec3f> positions, const Skeleton& skeleton,
                                     const std::vector<Pose>& poses, int most, double diagonal, SparseWeights& weights);

// How many joints carry weight.
int countWeighted(const SparseWeights& weights, int joint_count);

} // namespace skincells::levels

// Fewer joints for a level: the weight of a merged joint goes to the nearest ancestor with weight.
#pragma once

#include <span>
#include <vector>

#include "skincells/levels.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::levels {

// Merges joints, the one that changes the poses least first, until at most `most` have weight or none has an ancestor
// with weight. Returns the merged joints in order. diagonal: that of the mesh.
std::vector<MergedJoint> mergeJoints(std::span<const Vec3f> positions, const Skeleton& skeleton,
                                     const std::vector<Pose>& poses, int most, double diagonal, SparseWeights& weights);

// The number of joints with weight.
int countWeighted(const SparseWeights& weights, int joint_count);

} // namespace skincells::levels

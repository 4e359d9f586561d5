// Which poses to show of a character.
#pragma once

#include <cstddef>
#include <vector>

#include "skincells/metrics.h"
#include "skincells/viz/character_sheet.h"

namespace skincells::render {

// The `shown` poses that stretch the mesh most out of `poses`, worst first, labeled by their index.
std::vector<LabeledPose> worstPoses(const Character& character, const SparseWeights& weights,
                                    const std::vector<Pose>& poses, std::size_t shown);

// The `shown` poses in which two skins of the character differ most out of `poses`, worst first, labeled by their
// index.
std::vector<LabeledPose> differingPoses(const Character& character, const SparseWeights& a, const SparseWeights& b,
                                        const std::vector<Pose>& poses, std::size_t shown);

// Named poses in which people judge characters (rig/motion/test_poses.h).
std::vector<LabeledPose> testPosesOf(const Character& character, const std::vector<JointMotion>& motions,
                                     const Orientation& orientation);

} // namespace skincells::render

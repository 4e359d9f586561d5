// Ranges of motion measured in animation.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "skincells/rig.h"

namespace skincells::rig {

// The range that each joint's rotations from the bind pose span over the poses: a hinge if all swings are about one
// axis, else a cone up to the widest swing. Empty for joints that hardly move.
std::vector<std::optional<JointRange>> rangesOfPoses(const Skeleton& skeleton, std::span<const Pose> poses);

} // namespace skincells::rig

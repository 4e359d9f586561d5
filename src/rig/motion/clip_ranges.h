// Ranges of motion as animation uses them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "skincells/rig.h"

namespace skincells::rig {

// The range that each joint's turns span over the poses, measured from the bind pose: a hinge where all swings lie
// about one axis, else everything up to the widest swing. Nothing for joints that hardly move.
std::vector<std::optional<JointRange>> rangesOfPoses(const Skeleton& skeleton, std::span<const Pose> poses);

} // namespace skincells::rig

// Test poses of characters that are no humans: their chains of joints, bent one after the other.
#pragma once

#include <vector>

#include "rig/motion/test_poses.h"

namespace skincells::rig {

std::vector<TestPose> chainPoses(const Skeleton& skeleton, const std::vector<JointMotion>& motions,
                                 const Orientation& orientation);

} // namespace skincells::rig

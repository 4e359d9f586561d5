// Ranges of motion of human joints.
#pragma once

#include <vector>

#include "rig/names/human_bones.h"
#include "skincells/rig.h"

namespace skincells::rig {

// How far each part of a body turns: about what a healthy adult does without effort, from a bind pose with arms out or
// half down. Knees, elbows and outer finger joints are hinges where the bind pose bends them (or their mirror image)
// and so tells the way; else they swing half as far in every direction. Joints of no part keep the default range.
std::vector<JointRange> humanRanges(const Skeleton& skeleton, const std::vector<HumanBone>& bones);

} // namespace skincells::rig

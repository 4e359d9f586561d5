// Ranges of motion of human joints.
#pragma once

#include <vector>

#include "rig/names/human_bones.h"
#include "skincells/rig.h"

namespace skincells::rig {

// How far each body part rotates: roughly what a healthy adult does without effort, from a bind pose with the arms
// horizontal or half lowered. Knees, elbows and outer finger joints are hinges if the bind pose bends them or their
// mirror image, which gives the axis; else they swing half as far in every direction. Other joints get the default
// range.
std::vector<JointRange> humanRanges(const Skeleton& skeleton, const std::vector<HumanBone>& bones);

} // namespace skincells::rig

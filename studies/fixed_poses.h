// Which of the sampled poses are for training, and which are not.
#pragma once

#include <cstdint>
#include <vector>

#include "fit/pose_objective.h"

namespace skincells::rig {

// Poses from a set of `set_size` that `draw` gives once and for all: each step takes different ones of them at random
// (all of them when it asks for more).
fit::PoseSampler fromFixedSet(fit::PoseSampler draw, int set_size, std::uint64_t seed);

// Poses of `draw` that training never sees.
std::vector<Pose> heldOutPoses(const fit::PoseSampler& draw, int count);

} // namespace skincells::rig

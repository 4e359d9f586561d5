// A fixed set of training poses, as the paper uses: drawn once, each step takes some of them.
#pragma once

#include <cstdint>

#include "fit/pose_objective.h"

namespace skincells::studies {

// Each step takes different poses of a set of `set_size` at random (all of them when it asks for more). Pose i of the
// set is pose i % 4 of batch i / 4 of `draw`.
fit::PoseBatches fromFixedSet(fit::PoseBatches draw, int set_size, std::uint64_t seed);

} // namespace skincells::studies

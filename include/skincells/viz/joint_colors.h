// Colors for joints.
#pragma once

#include <vector>

#include "skincells/rig.h"
#include "skincells/viz/color.h"

namespace skincells {

// One color per joint; a joint, its parent and its siblings differ strongly.
std::vector<Rgb> jointColors(const Skeleton& skeleton);

} // namespace skincells

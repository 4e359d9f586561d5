// Which side of a character pictures show.
#pragma once

#include "skincells/character.h"
#include "skincells/rig.h"

namespace skincells::render {

// The orientation in bind space. up_axis: as in FileInfo; '?': estimated from the skeleton, like the forward direction.
Orientation orientationOf(const Character& character, char up_axis);

} // namespace skincells::render

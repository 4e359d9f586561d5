// Which side of a character pictures show.
#pragma once

#include "skincells/character.h"
#include "skincells/rig.h"

namespace skincells::render {

// The orientation in bind space. Up is away from the feet if joints are named after them: the nodes may show the middle
// of a clip. Else it is up_axis (as in FileInfo; '?': unknown). Forward follows joint names, else
// the shape: feet stick out in front of the legs, a long body carries its head in front.
Orientation orientationOf(const Character& character, char up_axis);

} // namespace skincells::render

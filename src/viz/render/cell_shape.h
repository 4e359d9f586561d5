// The shape of the pictures of a sheet.
#pragma once

#include <span>

#include "skincells/viz/character_sheet.h"

namespace skincells::render {

// Width / height of all poses and skins together, seen from all views, limited to 1/2 .. 2; 1 if there is nothing.
double contentAspect(const Character& character, std::span<const LabeledSkin> skins, std::span<const LabeledPose> poses,
                     const Orientation& orientation, std::span<const View> views);

} // namespace skincells::render

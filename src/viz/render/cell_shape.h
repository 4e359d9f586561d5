// What shape the pictures of a sheet should have.
#pragma once

#include <span>

#include "skincells/viz/render.h"

namespace skincells::render {

// Width / height of what all poses and skins take from all views together, between 1/2 and 2; 1 where there is nothing.
double contentAspect(const Character& character, std::span<const LabeledSkin> skins, std::span<const LabeledPose> poses,
                     const Orientation& orientation, std::span<const View> views);

} // namespace skincells::render

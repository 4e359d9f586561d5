// Ambient occlusion from what the picture itself shows (after Bavoil and Sainz 2008, McGuire et al. 2012).
#pragma once

#include "viz/render/raster.h"
#include "viz/render/surface.h"

namespace skincells::render {

// How open each pixel's surface is: 1 free, toward 0 hidden in a fold. `samples` is the number of samples across a
// pixel and `radius` the distance within which parts darken one another.
std::vector<float> openness(const Visibility& seen, const Surface& surface, int samples, double radius);

} // namespace skincells::render

// The skeleton drawn over a picture.
#pragma once

#include "skincells/rig.h"
#include "skincells/viz/camera.h"
#include "skincells/viz/image.h"

namespace skincells::render {

// Draws the bones and joints of a pose as the camera sees them, also where the mesh hides them.
void drawSkeleton(Image& image, const Skeleton& skeleton, const Pose& pose, const Camera& camera);

} // namespace skincells::render

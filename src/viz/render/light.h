// The lamps of the studio: a soft key light, a fill light, light from all around and a rim from behind. They move
// with the camera, so that every view of a figure is lit alike.
#pragma once

#include "viz/render/picture/color.h"
#include "viz/render/projection.h"

namespace skincells::render {

class Studio {
public:
  explicit Studio(const Projection& projection);

  // Light that a matt surface sends to the eye. `normal` is a unit vector, `to_eye` need not be, `openness` is 0 .. 1.
  Rgb shade(const Rgb& albedo, const Vec3f& normal, const Vec3f& to_eye, float openness) const;

private:
  Vec3f key_, fill_, rim_, sky_, half_; // unit vectors toward the lamps
};

} // namespace skincells::render

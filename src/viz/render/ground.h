// A soft shadow on the floor under a figure.
#pragma once

#include <span>

#include "skincells/mesh.h"
#include "viz/render/projection.h"

namespace skincells::render {

// The floor touches the figure's lowest point. The nearer a part is to the floor, the darker and sharper its shadow,
// as under an overcast sky.
class GroundShadow {
public:
  GroundShadow(std::span<const Vec3f> positions, std::span<const Triangle> triangles, const Vec3d& up);

  // How dark the floor is where the ray from `eye` meets it, 0 .. 1; 0 where it does not meet it from above.
  float along(const Vec3d& eye, const Vec3d& direction) const;

private:
  float sample(const Vec3d& on_floor) const;

  Vec3d up_;
  double floor_ = 0;      // height along up_
  Projection from_below_; // places on the floor to places in the map
  std::vector<float> map_;
};

} // namespace skincells::render

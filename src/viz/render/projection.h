// From bind space to the picture.
#pragma once

#include <cmath>

#include "skincells/viz/camera.h"

namespace skincells::render {

// View space: x to the right, y up, z away from the eye. Picture: x to the right, y down, in samples.
struct Projection {
  Vec3d eye, right, up, forward;
  double focal = 1; // samples per unit at depth 1
  double inverse_focal = 1;
  double center_x = 0, center_y = 0;
  double near_depth = 0; // nearer things are clipped
  int width = 0, height = 0;

  Vec3f toView(const Vec3f& p) const {
    const Vec3d d = toDouble(p) - eye;
    return toFloat({dot(d, right), dot(d, up), dot(d, forward)});
  }
  double pictureX(const Vec3f& view) const { return center_x + focal * view.x / view.z; }
  double pictureY(const Vec3f& view) const { return center_y - focal * view.y / view.z; }
  // The view-space direction through a place in the picture, with depth 1.
  Vec3f rayAt(double x, double y) const { return toFloat({(x - center_x) / focal, (center_y - y) / focal, 1}); }
  Vec3d toWorldDirection(const Vec3d& view) const { return right * view.x + up * view.y + forward * view.z; }
};

// A frame of unit vectors for a line of sight; any roll when `up` is along it.
struct Frame {
  Vec3d right, up, forward;
};
Frame frameOf(const Vec3d& forward, const Vec3d& up);

Projection makeProjection(const Camera& camera, int width, int height);

// The corners' place in view space, one per vertex.
std::vector<Vec3f> toViewSpace(std::span<const Vec3f> positions, const Projection& projection);

} // namespace skincells::render

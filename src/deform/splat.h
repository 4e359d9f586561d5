// What a pose does to an oriented point: a splat, or a normal.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "deform/matrix3.h"
#include "skincells/rig.h"

namespace skincells::deform {

// The sum of the joints' maps, weighted. Rows that sum to 1 give an affine map.
Affine blend(std::span<const std::uint16_t> joints, std::span<const float> weights, const Pose& pose);

// A Gaussian as an ellipsoid: covariance = R diag(scale^2) R^T.
struct Ellipsoid {
  Columns axes;                  // R: a rotation
  std::array<double, 3> scale{}; // standard deviation along each axis
};

// The image of an ellipsoid under a linear map, exactly: its covariance becomes M C M^T. Axes keep their order where
// the map is a rotation, also a scaled one.
Ellipsoid transformed(const Ellipsoid& ellipsoid, const Columns& linear);

// The normal of a surface after the map: across the image of the plane, of the same length as before.
Vec3d transformedNormal(const Vec3d& normal, const Columns& linear);

} // namespace skincells::deform

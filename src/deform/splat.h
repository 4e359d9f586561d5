// Oriented points under a pose: splats and normals.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "deform/matrix3.h"
#include "skincells/rig.h"

namespace skincells::deform {

// The weighted sum of the joints' maps.
Affine blend(std::span<const std::uint16_t> joints, std::span<const float> weights, const Pose& pose);

// A Gaussian as an ellipsoid: covariance = R diag(scale^2) R^T.
struct Ellipsoid {
  Columns axes;                  // R: a rotation
  std::array<double, 3> scale{}; // standard deviation along each axis
};

// The exact image of an ellipsoid under a linear map: its covariance becomes M C M^T. The axes keep their order if the
// map is a rotation times a scale.
Ellipsoid transformed(const Ellipsoid& ellipsoid, const Columns& linear);

// The normal of a surface after the map: perpendicular to the image of the plane, with the same length as before.
Vec3d transformedNormal(const Vec3d& normal, const Columns& linear);

} // namespace skincells::deform

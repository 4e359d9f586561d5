#include "deform/splat.h"

namespace skincells::deform {

Affine blend(std::span<const std::uint16_t> joints, std::span<const float> weights, const Pose& pose) {
  Affine sum;
  for (auto& row : sum.m)
    for (double& number : row) number = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] == 0) continue; // the joint of an unused slot may not exist
    const Affine& joint = pose[joints[k]];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 4; ++c) sum.m[r][c] += static_cast<double>(weights[k]) * joint.m[r][c];
  }
  return sum;
}

Ellipsoid transformed(const Ellipsoid& e, const Columns& linear) {
  // With A = M R diag(scale) the covariance becomes A A^T, which a rotation of A's columns does not change.
  Columns a = linear * e.axes;
  for (std::size_t i = 0; i < 3; ++i) a[i] *= e.scale[i];
  const Orthogonalized m = orthogonalize(a);
  Ellipsoid out;
  for (std::size_t i = 0; i < 3; ++i) out.scale[i] = length(m.b[i]);
  out.axes = axesOf(m.b);
  return out;
}

Vec3d transformedNormal(const Vec3d& normal, const Columns& m) {
  // The cofactor matrix is a multiple of the inverse transpose, and exists even if the inverse does not.
  const Columns cofactors{cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])};
  return normalized(apply(cofactors, normal)) * length(normal);
}

} // namespace skincells::deform

#include "affine_conversion.h"

#include <algorithm>
#include <cmath>

namespace skincells::importer {
namespace {

// Unit quaternion of an orthonormal right-handed frame; the branch with the largest divisor keeps precision.
std::array<double, 4> frameQuaternion(const Vec3d& x, const Vec3d& y, const Vec3d& z) {
  const double trace = x.x + y.y + z.z;
  std::array<double, 4> q{};
  if (trace > 0) {
    const double s = 2 * std::sqrt(trace + 1);
    q = {(y.z - z.y) / s, (z.x - x.z) / s, (x.y - y.x) / s, s / 4};
  } else if (x.x > y.y && x.x > z.z) {
    const double s = 2 * std::sqrt(1 + x.x - y.y - z.z);
    q = {s / 4, (y.x + x.y) / s, (z.x + x.z) / s, (y.z - z.y) / s};
  } else if (y.y > z.z) {
    const double s = 2 * std::sqrt(1 + y.y - x.x - z.z);
    q = {(y.x + x.y) / s, s / 4, (z.y + y.z) / s, (z.x - x.z) / s};
  } else {
    const double s = 2 * std::sqrt(1 + z.z - x.x - y.y);
    q = {(z.x + x.z) / s, (z.y + y.z) / s, s / 4, (x.y - y.x) / s};
  }
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& c : q) c /= norm;
  return q;
}

} // namespace

Affine toAffine(const aiMatrix4x4& matrix) {
  Affine a;
  for (unsigned r = 0; r < 3; ++r)
    for (unsigned c = 0; c < 4; ++c) a.m[r][c] = static_cast<double>(matrix[r][c]);
  return a;
}

Affine compose(const Trs& trs) {
  const double q[4] = {trs.rotation[0], trs.rotation[1], trs.rotation[2], trs.rotation[3]};
  return Affine::fromTrs(trs.translation, q, trs.scale);
}

Trs decompose(const Affine& affine) {
  if (!affine.isFinite()) return {};
  Trs trs;
  trs.translation = affine.translation();
  trs.scale = {length(affine.column(0)), length(affine.column(1)), length(affine.column(2))};
  const double sign = affine.determinant() < 0 ? -1 : 1;
  trs.scale *= sign;
  const Vec3d x = normalized(affine.column(0)) * sign;
  const Vec3d y0 = affine.column(1) * sign, y = normalized(y0 - x * dot(x, y0)), z = cross(x, y);
  // Flattened to a line or a point: the rotation is undefined.
  if (std::abs(dot(z, z) - 1) < 1e-6) trs.rotation = frameQuaternion(x, y, z);
  return trs;
}

double linearDifference(const Affine& a, const Affine& b) {
  double size = 0, difference = 0;
  for (int c = 0; c < 3; ++c) {
    size = std::max(size, length(a.column(c)));
    difference = std::max(difference, length(a.column(c) - b.column(c)));
  }
  return size > 0 ? difference / size : difference;
}

} // namespace skincells::importer

#include "skincells/math.h"

namespace skincells {

bool Affine::isFinite() const {
  for (const auto& row : m)
    for (double v : row)
      if (!std::isfinite(v)) return false;
  return true;
}

Affine Affine::inverse() const {
  const Vec3d a = column(0), b = column(1), c = column(2);
  const double d = 1.0 / determinant();
  const Vec3d r0 = cross(b, c) * d, r1 = cross(c, a) * d, r2 = cross(a, b) * d, t = translation();
  return {{{r0.x, r0.y, r0.z, -dot(r0, t)}, {r1.x, r1.y, r1.z, -dot(r1, t)}, {r2.x, r2.y, r2.z, -dot(r2, t)}}};
}

Affine operator*(const Affine& a, const Affine& b) {
  Affine r;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 4; ++k)
      r.m[i][k] = a.m[i][0] * b.m[0][k] + a.m[i][1] * b.m[1][k] + a.m[i][2] * b.m[2][k] + (k == 3 ? a.m[i][3] : 0.0);
  return r;
}

Affine Affine::fromTranslation(const Vec3d& t) {
  Affine r;
  r.m[0][3] = t.x;
  r.m[1][3] = t.y;
  r.m[2][3] = t.z;
  return r;
}

Affine Affine::fromTrs(const Vec3d& t, const double (&q)[4], const Vec3d& s) {
  const double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  const double k = norm > 0 ? 2 / norm : 0;
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  return {{{(1 - k * (y * y + z * z)) * s.x, k * (x * y - w * z) * s.y, k * (x * z + w * y) * s.z, t.x},
           {k * (x * y + w * z) * s.x, (1 - k * (x * x + z * z)) * s.y, k * (y * z - w * x) * s.z, t.y},
           {k * (x * z - w * y) * s.x, k * (y * z + w * x) * s.y, (1 - k * (x * x + y * y)) * s.z, t.z}}};
}

Affine Affine::rotation(const Vec3d& axis, double angle) {
  const Vec3d n = normalized(axis);
  const double s = std::sin(angle / 2);
  return fromTrs({}, {n.x * s, n.y * s, n.z * s, std::cos(angle / 2)}, {1, 1, 1});
}

} // namespace skincells

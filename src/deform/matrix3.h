// 3x3 matrices by columns: rotations, quaternions, and singular values by Jacobi rotations.
#pragma once

#include <array>

#include "skincells/math.h"

namespace skincells::deform {

using Columns = std::array<Vec3d, 3>;

// A = B V^T with perpendicular columns of B and a rotation V (one-sided Jacobi, Hestenes 1958). Columns that are
// already perpendicular do not change, so V is the identity if A is a rotation times a scale. Columns of very different
// lengths keep their relative accuracy. (Eigen's JacobiSVD sorts the singular values and has none of these three
// properties.)
struct Orthogonalized {
  Columns b, v;
};
Orthogonalized orthogonalize(const Columns& a);

// The unit vectors along perpendicular columns, as a rotation: a column of length 0 gets a direction perpendicular to
// the others, and the shortest one is reversed if they are left-handed.
Columns axesOf(const Columns& perpendicular);

// The rotation nearest to a linear map, from its polar decomposition; never a reflection. The identity for zero.
Columns nearestRotation(const Columns& a);

// Quaternion w, x, y, z of a rotation, with w >= 0.
std::array<double, 4> quaternionOf(const Columns& rotation);
// The rotation of a quaternion w, x, y, z of any length; the identity for zero.
Columns rotationOf(const std::array<double, 4>& wxyz);

inline Vec3d apply(const Columns& a, const Vec3d& x) {
  return a[0] * x.x + a[1] * x.y + a[2] * x.z;
}
inline Columns operator*(const Columns& a, const Columns& b) {
  return {apply(a, b[0]), apply(a, b[1]), apply(a, b[2])};
}
inline Columns transposed(const Columns& a) {
  return {Vec3d{a[0].x, a[1].x, a[2].x}, Vec3d{a[0].y, a[1].y, a[2].y}, Vec3d{a[0].z, a[1].z, a[2].z}};
}
inline Columns linearPart(const Affine& a) {
  return {a.column(0), a.column(1), a.column(2)};
}

} // namespace skincells::deform

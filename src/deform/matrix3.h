// Small matrices of posed space: singular values of 3x3 matrices by Jacobi rotations.
#pragma once

#include <array>

#include "skincells/math.h"

namespace skincells::deform {

// By columns.
using Columns = std::array<Vec3d, 3>;

// A = B V^T with B's columns perpendicular to each other and V a rotation (one-sided Jacobi, Hestenes 1958). Columns
// that are perpendicular already stay as they are, so that V is the identity where A is a rotation times a scale.
// Columns of vastly different length keep their relative accuracy.
struct Orthogonalized {
  Columns b, v;
};
Orthogonalized orthogonalize(const Columns& a);

// The unit vectors along the columns, as a rotation: columns without length get a direction across the others, and the
// last one is turned around where they would be left-handed. The columns must be perpendicular to each other.
Columns axesOf(const Columns& perpendicular);

// The rotation nearest to a linear map: of its polar decomposition, and without mirroring. The identity for zero.
Columns nearestRotation(const Columns& a);

// Quaternion w, x, y, z of a rotation, with w >= 0.
std::array<double, 4> quaternionOf(const Columns& rotation);
// The rotation of a quaternion w, x, y, z of any length but zero; the identity for zero.
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

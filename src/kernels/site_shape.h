// The shape F of a site from its stored numbers, and the derivative in them. One definition serves the float64
// reference and the float32 path.
#pragma once

#include <cmath>

#include "skincells/math.h"

namespace skincells::kernels {

template <class T> struct Matrix3 {
  T m[3][3] = {};

  Vec3<T> operator*(const Vec3<T>& v) const {
    return {m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z, m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
            m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z};
  }
  Vec3<T> transposeTimes(const Vec3<T>& v) const {
    return {m[0][0] * v.x + m[1][0] * v.y + m[2][0] * v.z, m[0][1] * v.x + m[1][1] * v.y + m[2][1] * v.z,
            m[0][2] * v.x + m[1][2] * v.y + m[2][2] * v.z};
  }
};

// R of a unit quaternion (w, x, y, z).
template <class T> Matrix3<T> rotationMatrix(T w, T x, T y, T z) {
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

template <class T> struct UnitQuaternion { T w, x, y, z, inverse_length; };

// q / |q|; the identity if q is zero.
template <class T> UnitQuaternion<T> unitQuaternion(const T* q) {
  using std::sqrt;
  const T squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (!(squared > T(0))) return {T(1), T(0), T(0), T(0), T(0)};
  const T s = T(1) / sqrt(squared);
  return {q[0] * s, q[1] * s, q[2] * s, q[3] * s, s};
}

// F = L from [log L00, L10, log L11, L20, L21, log L22].
template <class T> Matrix3<T> triangularShape(const T* stored) {
  using std::exp;
  return {{{exp(stored[0]), T(0), T(0)}, {stored[1], exp(stored[2]), T(0)}, {stored[3], stored[4], exp(stored[5])}}};
}

// F = diag(exp(log s)) R(q) from log s and q.
template <class T> Matrix3<T> scaleRotationShape(const T* stored) {
  using std::exp;
  const UnitQuaternion<T> q = unitQuaternion(stored + 3);
  Matrix3<T> f = rotationMatrix(q.w, q.x, q.y, q.z);
  for (int i = 0; i < 3; ++i) {
    const T s = exp(stored[i]);
    for (T& entry : f.m[i]) entry *= s;
  }
  return f;
}

// Adds the derivative in the stored quaternion, given g = dL/dR. The part along q is projected out because |q| has no
// effect.
template <class T> void addQuaternionGradient(const T* stored, const Matrix3<T>& g, T* out) {
  const UnitQuaternion<T> q = unitQuaternion(stored);
  const auto& m = g.m;
  const T d[4] = {
      2 * (q.z * (m[1][0] - m[0][1]) + q.y * (m[0][2] - m[2][0]) + q.x * (m[2][1] - m[1][2])),
      2 * (q.y * (m[0][1] + m[1][0]) + q.z * (m[0][2] + m[2][0]) + q.w * (m[2][1] - m[1][2])) -
          4 * q.x * (m[1][1] + m[2][2]),
      2 * (q.x * (m[0][1] + m[1][0]) + q.z * (m[1][2] + m[2][1]) + q.w * (m[0][2] - m[2][0])) -
          4 * q.y * (m[0][0] + m[2][2]),
      2 * (q.x * (m[0][2] + m[2][0]) + q.y * (m[1][2] + m[2][1]) + q.w * (m[1][0] - m[0][1])) -
          4 * q.z * (m[0][0] + m[1][1]),
  };
  const T unit[4] = {q.w, q.x, q.y, q.z};
  const T along = d[0] * unit[0] + d[1] * unit[1] + d[2] * unit[2] + d[3] * unit[3];
  for (int i = 0; i < 4; ++i) out[i] += (d[i] - along * unit[i]) * q.inverse_length;
}

// Both add to `out` the derivative in the stored numbers, given F itself and g = dL/dF.
template <class T> void addTriangularGradient(const Matrix3<T>& f, const Matrix3<T>& g, T* out) {
  out[0] += g.m[0][0] * f.m[0][0];
  out[1] += g.m[1][0];
  out[2] += g.m[1][1] * f.m[1][1];
  out[3] += g.m[2][0];
  out[4] += g.m[2][1];
  out[5] += g.m[2][2] * f.m[2][2];
}

template <class T> void addScaleRotationGradient(const T* stored, const Matrix3<T>& f, const Matrix3<T>& g, T* out) {
  using std::exp;
  Matrix3<T> rotation_gradient = g;
  for (int i = 0; i < 3; ++i) {
    const T s = exp(stored[i]);
    for (int k = 0; k < 3; ++k) {
      out[i] += g.m[i][k] * f.m[i][k];
      rotation_gradient.m[i][k] *= s;
    }
  }
  addQuaternionGradient(stored + 3, rotation_gradient, out + 3);
}

} // namespace skincells::kernels

// The geometric types of the public interface. They depend on no linear algebra library.
#pragma once

#include <cmath>

namespace skincells {

template <class T> struct Vec3 {
  T x{}, y{}, z{};

  Vec3& operator+=(const Vec3& b) { return x += b.x, y += b.y, z += b.z, *this; }
  Vec3& operator-=(const Vec3& b) { return x -= b.x, y -= b.y, z -= b.z, *this; }
  Vec3& operator*=(T s) { return x *= s, y *= s, z *= s, *this; }
  friend Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
  friend Vec3 operator-(Vec3 a, const Vec3& b) { return a -= b; }
  friend Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  friend Vec3 operator*(Vec3 a, T s) { return a *= s; }
  friend Vec3 operator*(T s, Vec3 a) { return a *= s; }
  friend bool operator==(const Vec3&, const Vec3&) = default;
};
using Vec3f = Vec3<float>;
using Vec3d = Vec3<double>;

template <class T> T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T> Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T> T length(const Vec3<T>& a) {
  return std::sqrt(dot(a, a));
}
// The unit vector along a; zero for a zero vector.
template <class T> Vec3<T> normalized(const Vec3<T>& a) {
  const T l = length(a);
  return l > T(0) ? a * (T(1) / l) : Vec3<T>{};
}
inline Vec3d toDouble(const Vec3f& a) {
  return {a.x, a.y, a.z};
}
inline Vec3f toFloat(const Vec3d& a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}
template <class T> bool isFinite(const Vec3<T>& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

// An affine map of space, stored as the three rows of [linear | translation].
struct Affine {
  double m[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};

  Vec3d translation() const { return {m[0][3], m[1][3], m[2][3]}; }
  Vec3d column(int c) const { return {m[0][c], m[1][c], m[2][c]}; }
  Vec3d apply(const Vec3d& p) const { return applyLinear(p) + translation(); }
  Vec3d applyLinear(const Vec3d& p) const {
    return {m[0][0] * p.x + m[0][1] * p.y + m[0][2] * p.z, m[1][0] * p.x + m[1][1] * p.y + m[1][2] * p.z,
            m[2][0] * p.x + m[2][1] * p.y + m[2][2] * p.z};
  }
  double determinant() const { return dot(column(0), cross(column(1), column(2))); }
  bool isFinite() const;
  // The inverse map; not finite if the determinant is zero.
  Affine inverse() const;

  friend Affine operator*(const Affine& a, const Affine& b);
  friend bool operator==(const Affine&, const Affine&) = default;

  static Affine fromTranslation(const Vec3d& t);
  // Translation * rotation * scale; the quaternion (x, y, z, w) need not have unit length.
  static Affine fromTrs(const Vec3d& t, const double (&xyzw)[4], const Vec3d& s);
  // Rotation by an angle in radians about an axis (any length) through the origin.
  static Affine rotation(const Vec3d& axis, double angle);
};

// An axis-aligned box; empty until a point is added.
struct Box {
  Vec3d lo{INFINITY, INFINITY, INFINITY};
  Vec3d hi{-INFINITY, -INFINITY, -INFINITY};

  bool empty() const { return lo.x > hi.x; }
  void add(const Vec3d& p) { // leaves out what is not a number
    lo = {p.x < lo.x ? p.x : lo.x, p.y < lo.y ? p.y : lo.y, p.z < lo.z ? p.z : lo.z};
    hi = {p.x > hi.x ? p.x : hi.x, p.y > hi.y ? p.y : hi.y, p.z > hi.z ? p.z : hi.z};
  }
  Vec3d size() const { return empty() ? Vec3d{} : hi - lo; }
  Vec3d center() const { return empty() ? Vec3d{} : (lo + hi) * 0.5; }
  double diagonal() const { return length(size()); }
};

} // namespace skincells

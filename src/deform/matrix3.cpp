#include "deform/matrix3.h"

#include <algorithm>
#include <cmath>

namespace skincells::deform {
namespace {

constexpr int kMaxSweeps = 12; // a 3x3 matrix takes three or four
constexpr double kCosineTolerance = 1e-15;

// Rotates columns i and j in their plane to make them perpendicular; false if they already are.
bool rotatePair(Orthogonalized& m, std::size_t i, std::size_t j) {
  const double p = dot(m.b[i], m.b[j]), a = dot(m.b[i], m.b[i]), c = dot(m.b[j], m.b[j]);
  if (p == 0 || std::fabs(p) <= kCosineTolerance * std::sqrt(a * c)) return false;
  const double zeta = (c - a) / (2 * p);
  const double t = (zeta >= 0 ? 1 : -1) / (std::fabs(zeta) + std::sqrt(1 + zeta * zeta));
  const double cosine = 1 / std::sqrt(1 + t * t), sine = cosine * t;
  for (Columns* columns : {&m.b, &m.v}) {
    const Vec3d x = (*columns)[i], y = (*columns)[j];
    (*columns)[i] = x * cosine - y * sine;
    (*columns)[j] = x * sine + y * cosine;
  }
  return true;
}

// A unit vector perpendicular to a unit vector.
Vec3d perpendicularTo(const Vec3d& a) {
  const Vec3d other = std::fabs(a.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  return normalized(cross(a, other));
}

} // namespace

Orthogonalized orthogonalize(const Columns& a) {
  Orthogonalized m{a, {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}};
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    bool rotated = rotatePair(m, 0, 1);
    rotated = rotatePair(m, 0, 2) || rotated;
    rotated = rotatePair(m, 1, 2) || rotated;
    if (!rotated) break;
  }
  return m;
}

Columns axesOf(const Columns& perpendicular) {
  std::array<double, 3> lengths{};
  for (std::size_t i = 0; i < 3; ++i) lengths[i] = length(perpendicular[i]);
  // From the longest to the shortest, whose direction is the least accurate.
  std::array<std::size_t, 3> order{0, 1, 2};
  for (const std::size_t i : {0U, 1U, 0U}) // a stable sort
    if (lengths[order[i]] < lengths[order[i + 1]]) std::swap(order[i], order[i + 1]);
  const double min_length = lengths[order[0]] * 1e-100;
  Columns out;
  out[order[0]] = lengths[order[0]] > 0 ? normalized(perpendicular[order[0]]) : Vec3d{1, 0, 0};
  const Vec3d& first = out[order[0]];
  Vec3d second = perpendicular[order[1]] - first * dot(perpendicular[order[1]], first);
  out[order[1]] = lengths[order[1]] > min_length ? normalized(second) : perpendicularTo(first);
  // The cross product makes the axes right-handed.
  const Vec3d third = cross(out[(order[2] + 1) % 3], out[(order[2] + 2) % 3]);
  out[order[2]] = third;
  return out;
}

Columns nearestRotation(const Columns& a) {
  if (length(a[0]) + length(a[1]) + length(a[2]) == 0) return {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};
  const Orthogonalized m = orthogonalize(a);
  return axesOf(m.b) * transposed(m.v);
}

std::array<double, 4> quaternionOf(const Columns& r) {
  const double xx = r[0].x, yy = r[1].y, zz = r[2].z;
  // Four times the square of each component; division by the largest one is accurate (Shepperd 1978).
  const std::array<double, 4> squares{1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz};
  const auto largest = static_cast<std::size_t>(std::ranges::max_element(squares) - squares.begin());
  const double s = 0.5 / std::sqrt(squares[largest]);
  const double wx = r[1].z - r[2].y, wy = r[2].x - r[0].z, wz = r[0].y - r[1].x; // 4 w x, ...
  const double xy = r[0].y + r[1].x, xz = r[0].z + r[2].x, yz = r[1].z + r[2].y;
  std::array<double, 4> q;
  switch (largest) {
  case 0:
    q = {squares[0], wx, wy, wz};
    break;
  case 1:
    q = {wx, squares[1], xy, xz};
    break;
  case 2:
    q = {wy, xy, squares[2], yz};
    break;
  default:
    q = {wz, xz, yz, squares[3]};
  }
  const double sign = q[0] < 0 ? -s : s;
  for (double& c : q) c *= sign;
  return q;
}

Columns rotationOf(const std::array<double, 4>& q) {
  const double squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (!(squared > 0)) return {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};
  const double s = 2 / squared;
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  return {Vec3d{1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
          Vec3d{s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
          Vec3d{s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)}};
}

} // namespace skincells::deform

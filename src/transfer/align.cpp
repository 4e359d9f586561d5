// Similarity between two sets of points: Umeyama 1991, "Least-Squares Estimation of Transformation Parameters Between
// Two Point Patterns". Rotations by right angles, by which the up-axes of file formats differ, are tried first.
#include "transfer/align.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <Eigen/Geometry>

#include "base/assert.h"

namespace skincells::transfer {
namespace {

// Residuals relative to the skeleton's size. Files of one character agree to rounding; another body or another bind
// pose is far above the limit.
constexpr double kIdentityResidual = 1e-3;   // at most: no alignment is needed
constexpr double kRightAngleResidual = 5e-3; // at most: a rotation by right angles is accepted
constexpr double kLargestResidual = 0.05;    // above: the skeletons do not line up
constexpr double kClearlyBetter = 0.9;       // residual relative to that of a simpler rotation
constexpr double kGeneralFitGain = 0.5;      // residual relative to that of the best right angles

using Points = std::span<const Vec3d>;

Vec3d mean(Points points) {
  Vec3d sum;
  for (const Vec3d& p : points) sum += p;
  return sum * (1.0 / static_cast<double>(points.size()));
}

// Rms distance from the mean.
double sizeOf(Points points) {
  const Vec3d middle = mean(points);
  double sum = 0;
  for (const Vec3d& p : points) sum += dot(p - middle, p - middle);
  return std::sqrt(sum / static_cast<double>(points.size()));
}

// Relative to the size of `to`; a length if there is only one joint, which has no size.
double residual(const Affine& map, Points from, Points to) {
  double sum = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Vec3d off = map.apply(from[i]) - to[i];
    sum += dot(off, off);
  }
  const double rms = std::sqrt(sum / static_cast<double>(from.size())), size = sizeOf(to);
  return size > 0 ? rms / size : rms;
}

// The best scale and translation for a given rotation.
Affine fitWithRotation(const Affine& rotation, Points from, Points to) {
  const Vec3d a = mean(from), b = mean(to);
  double along = 0, squared = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Vec3d rotated = rotation.applyLinear(from[i] - a);
    along += dot(rotated, to[i] - b);
    squared += dot(rotated, rotated);
  }
  const double scale = squared > 0 && along > 0 ? along / squared : 1;
  Affine map;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) map.m[r][c] = scale * rotation.m[r][c];
  const Vec3d shift = b - map.applyLinear(a);
  map.m[0][3] = shift.x;
  map.m[1][3] = shift.y;
  map.m[2][3] = shift.z;
  return map;
}

// The 24 rotations of a cube: the identity first, then those between y up and z up.
std::vector<Affine> rightAngles() {
  constexpr double kQuarter = std::numbers::pi / 2;
  const auto clean = [](Affine a) { // exactly 0 and 1
    for (auto& row : a.m)
      for (double& value : row) value = std::round(value);
    return a;
  };
  const Affine x = clean(Affine::rotation({1, 0, 0}, kQuarter)), y = clean(Affine::rotation({0, 1, 0}, kQuarter)),
               z = clean(Affine::rotation({0, 0, 1}, kQuarter));
  std::vector<Affine> rotations{Affine{}, x, x * x * x};
  const auto add = [&](const Affine& rotation) {
    if (std::ranges::find(rotations, rotation) == rotations.end()) rotations.push_back(rotation);
  };
  Affine a;
  for (int i = 0; i < 4; ++i, a = a * x) {
    Affine b = a;
    for (int k = 0; k < 4; ++k, b = b * y)
      for (const Affine& c : {b, b * z, b * z * z * z}) add(c);
  }
  return rotations;
}

Affine generalFit(Points from, Points to) {
  Eigen::Matrix3Xd a(3, static_cast<Eigen::Index>(from.size())), b = a;
  for (std::size_t i = 0; i < from.size(); ++i) {
    a.col(static_cast<Eigen::Index>(i)) = Eigen::Vector3d(from[i].x, from[i].y, from[i].z);
    b.col(static_cast<Eigen::Index>(i)) = Eigen::Vector3d(to[i].x, to[i].y, to[i].z);
  }
  const Eigen::Matrix4d found = Eigen::umeyama(a, b, true);
  Affine map;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) map.m[r][c] = found(r, c);
  return map;
}

Alignment describe(const Affine& map, Points from, Points to) {
  Alignment out;
  out.field_from_mesh = map;
  out.scale = std::cbrt(map.determinant());
  const double trace = (map.m[0][0] + map.m[1][1] + map.m[2][2]) / out.scale;
  out.rotation_degrees = std::acos(std::clamp((trace - 1) / 2, -1.0, 1.0)) * (180 / std::numbers::pi);
  out.residual_percent = 100 * residual(map, from, to);
  return out;
}

} // namespace

Alignment alignPoints(Points from, Points to) {
  SKINCELLS_ASSERT(!from.empty() && from.size() == to.size());
  if (residual(Affine{}, from, to) <= kIdentityResidual) return describe(Affine{}, from, to);
  Affine best;
  double least = INFINITY;
  for (const Affine& rotation : rightAngles()) {
    const Affine map = fitWithRotation(rotation, from, to);
    const double off = residual(map, from, to);
    if (off < kClearlyBetter * least - 1e-9) {
      least = off;
      best = map;
    }
  }
  if (least > kRightAngleResidual && from.size() >= 3) {
    const Affine map = generalFit(from, to);
    if (map.isFinite() && map.determinant() > 0 && residual(map, from, to) < kGeneralFitGain * least) best = map;
  }
  return describe(best, from, to);
}

Result<void> checkAlignment(const Alignment& alignment, Points from, Points to, std::span<const std::string> names,
                            const std::string& where) {
  if (alignment.residual_percent <= 100 * kLargestResidual) return {};
  std::size_t worst = 0;
  double farthest = -1;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double off = length(alignment.field_from_mesh.apply(from[i]) - to[i]);
    if (off > farthest) {
      farthest = off;
      worst = i;
    }
  }
  return Error{ErrorCode::Mismatch,
               "the joints do not line up with the field's: " +
                   std::to_string(static_cast<int>(std::lround(alignment.residual_percent))) +
                   " % of the skeleton's size off after the best rotation, scale and translation, '" + names[worst] +
                   "' the most; is this another body or another bind pose? --align none uses both spaces as they are",
               where};
}

} // namespace skincells::transfer

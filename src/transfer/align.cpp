// Similarity between two sets of points: Umeyama 1991, "Least-Squares Estimation of Transformation Parameters Between
// Two Point Patterns", after the right angles that up-axes of file formats differ by.
#include "transfer/align.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Geometry>

#include "base/assert.h"

namespace skincells::transfer {
namespace {

// Of the skeleton's size. Files of one character agree to rounding; another body or another bind pose is off by far.
constexpr double kSamePlace = 1e-3, kGoodFit = 5e-3, kLargestResidual = 0.05;

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

// Relative to the size of `to`; a lone joint has none, so there it is a length.
double residual(const Affine& map, Points from, Points to) {
  double sum = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Vec3d off = map.apply(from[i]) - to[i];
    sum += dot(off, off);
  }
  const double rms = std::sqrt(sum / static_cast<double>(from.size())), size = sizeOf(to);
  return size > 0 ? rms / size : rms;
}

// The best scale and shift for a given turn.
Affine fitWithTurn(const Affine& turn, Points from, Points to) {
  const Vec3d a = mean(from), b = mean(to);
  double along = 0, squared = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Vec3d turned = turn.applyLinear(from[i] - a);
    along += dot(turned, to[i] - b);
    squared += dot(turned, turned);
  }
  const double scale = squared > 0 && along > 0 ? along / squared : 1;
  Affine map;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) map.m[r][c] = scale * turn.m[r][c];
  const Vec3d shift = b - map.applyLinear(a);
  map.m[0][3] = shift.x, map.m[1][3] = shift.y, map.m[2][3] = shift.z;
  return map;
}

// The 24 turns of a cube: none first, then those between y up and z up.
std::vector<Affine> rightAngles() {
  constexpr double kQuarter = 1.5707963267948966;
  const auto clean = [](Affine a) { // exactly 0 and 1
    for (auto& row : a.m)
      for (double& value : row) value = std::round(value);
    return a;
  };
  const Affine x = clean(Affine::rotation({1, 0, 0}, kQuarter)), y = clean(Affine::rotation({0, 1, 0}, kQuarter)),
               z = clean(Affine::rotation({0, 0, 1}, kQuarter));
  std::vector<Affine> turns{Affine{}, x, x * x * x};
  const auto add = [&](const Affine& turn) {
    if (std::ranges::find(turns, turn) == turns.end()) turns.push_back(turn);
  };
  Affine a;
  for (int i = 0; i < 4; ++i, a = a * x) {
    Affine b = a;
    for (int k = 0; k < 4; ++k, b = b * y) add(b), add(b * z), add(b * z * z * z);
  }
  return turns;
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
  out.rotation_degrees = std::acos(std::clamp((trace - 1) / 2, -1.0, 1.0)) * (180 / 3.141592653589793);
  out.residual_percent = 100 * residual(map, from, to);
  return out;
}

} // namespace

Alignment alignPoints(Points from, Points to) {
  SKINCELLS_ASSERT(!from.empty() && from.size() == to.size());
  if (residual(Affine{}, from, to) <= kSamePlace) return describe(Affine{}, from, to);
  Affine best;
  double least = INFINITY;
  for (const Affine& turn : rightAngles()) {
    const Affine map = fitWithTurn(turn, from, to);
    const double off = residual(map, from, to);
    if (off < 0.9 * least - 1e-9) least = off, best = map; // clearly better than an earlier, plainer turn
  }
  if (least > kGoodFit && from.size() >= 3) {
    const Affine map = generalFit(from, to);
    if (map.isFinite() && map.determinant() > 0 && residual(map, from, to) < 0.5 * least) best = map;
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
    if (off > farthest) farthest = off, worst = i;
  }
  return Error{ErrorCode::Mismatch,
               "the joints do not line up with the field's: " +
                   std::to_string(static_cast<int>(std::lround(alignment.residual_percent))) +
                   " % of the skeleton's size off after the best turn, scale and shift, '" + names[worst] +
                   "' the most; is this another body or another bind pose? --align none applies the field as it is",
               where};
}

} // namespace skincells::transfer

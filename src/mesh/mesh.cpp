#include "skincells/mesh.h"

#include <algorithm>

namespace skincells {
namespace {

constexpr double kTrimmed = 0.01; // share of the vertices that is left out at each end of an axis
constexpr double kStrayRatio = 8; // bounds larger than this times the trimmed ones contain strays

std::vector<Vec3d> usedPositions(const Mesh& mesh) {
  std::vector<char> used(mesh.positions.size(), mesh.triangles.empty() ? 1 : 0);
  for (const Triangle& t : mesh.triangles)
    for (std::uint32_t v : t) used[v] = 1;
  std::vector<Vec3d> positions;
  positions.reserve(used.size());
  for (std::size_t v = 0; v < used.size(); ++v)
    if (used[v] != 0) positions.push_back(toDouble(mesh.positions[v]));
  return positions;
}

std::ptrdiff_t cutOf(std::size_t count) {
  return static_cast<std::ptrdiff_t>(kTrimmed * static_cast<double>(count));
}

// Whether the trimmed bounds are certain to be nearly as large as `all`: enough vertices lie on both sides of its
// middle, along every axis. Saves the sorting for nearly every mesh.
bool isSpread(const std::vector<Vec3d>& positions, const Box& all) {
  constexpr double kShare = 0.07; // of the size on each side: more than 1 / kStrayRatio in all
  static_assert(2 * kShare > 1 / kStrayRatio);
  const Vec3d below = all.center() - all.size() * kShare, above = all.center() + all.size() * kShare;
  std::ptrdiff_t counts[6] = {};
  for (const Vec3d& p : positions) {
    counts[0] += p.x <= below.x;
    counts[1] += p.y <= below.y;
    counts[2] += p.z <= below.z;
    counts[3] += p.x >= above.x;
    counts[4] += p.y >= above.y;
    counts[5] += p.z >= above.z;
  }
  return std::ranges::min(counts) > cutOf(positions.size());
}

// The interval of the middle values along an axis.
std::pair<double, double> middle(const std::vector<Vec3d>& positions, double Vec3d::*axis) {
  std::vector<double> values;
  for (const Vec3d& p : positions) values.push_back(p.*axis);
  const std::ptrdiff_t cut = cutOf(values.size());
  const auto lo = values.begin() + cut, hi = values.end() - 1 - cut;
  std::ranges::nth_element(values, lo);
  std::nth_element(lo, hi, values.end());
  return {*lo, *hi};
}

} // namespace

Box Mesh::bounds() const {
  Box box;
  for (const Vec3f& p : positions) box.add(toDouble(p));
  return box;
}

Box trimmedBounds(const Mesh& mesh) {
  const std::vector<Vec3d> positions = usedPositions(mesh);
  Box all, trimmed;
  if (positions.empty()) return all;
  for (const Vec3d& p : positions) all.add(p);
  if (isSpread(positions, all)) return all;
  const auto [x0, x1] = middle(positions, &Vec3d::x);
  const auto [y0, y1] = middle(positions, &Vec3d::y);
  const auto [z0, z1] = middle(positions, &Vec3d::z);
  trimmed.add({x0, y0, z0});
  trimmed.add({x1, y1, z1});
  return trimmed.diagonal() > 0 && all.diagonal() > kStrayRatio * trimmed.diagonal() ? trimmed : all;
}

double weldTolerance(const Mesh& mesh) {
  return 1e-6 * trimmedBounds(mesh).diagonal();
}

} // namespace skincells

#include "io/placement.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "rig/bones.h"

namespace skincells::io {
namespace {

constexpr double kClose = 0.03; // of the diagonal: a joint this close to the surface counts as inside
constexpr std::size_t kSamples = 400;
constexpr int kPieces = 5; // of a bone, each inside or not
constexpr double kFar = 0.95;

std::vector<Vec3d> placed(const Skeleton& skeleton, const Affine& map) {
  std::vector<Vec3d> at;
  for (int j = 0; j < skeleton.jointCount(); ++j) at.push_back(map.apply(skeleton.bindPosition(j)));
  return at;
}

} // namespace

PlacementMeter::PlacementMeter(const Mesh& mesh) : query_(mesh), diagonal_(mesh.bounds().diagonal()) {
  const std::size_t step = std::max<std::size_t>(1, mesh.positions.size() / kSamples);
  for (std::size_t v = 0; v < mesh.positions.size(); v += step) samples_.push_back(toDouble(mesh.positions[v]));
}

bool PlacementMeter::isInside(const Vec3d& point) const {
  const auto closest = query_.closestPoint(point);
  return !closest || closest->distance <= kClose * diagonal_ || query_.enclosure(point) > 0.5;
}

std::vector<double> PlacementMeter::distances(const Skeleton& skeleton, const std::vector<Vec3d>& joints) const {
  std::vector<double> out;
  for (const Vec3d& p : samples_) {
    double nearest = INFINITY;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const int parent = skeleton.joints[j].parent;
      const Vec3d& from = parent == kNoParent ? joints[j] : joints[static_cast<std::size_t>(parent)];
      nearest = std::min(nearest, rig::closestOnSegment(p, from, joints[j]).squared_distance);
    }
    out.push_back(std::sqrt(nearest) / diagonal_);
  }
  return out;
}

Placement PlacementMeter::measure(const Skeleton& skeleton, const Affine& mesh_from_joints) const {
  Placement out;
  if (skeleton.joints.empty() || samples_.empty() || !(diagonal_ > 0)) return out;
  const std::vector<Vec3d> at = placed(skeleton, mesh_from_joints);
  Box box;
  for (const Vec3d& p : at) box.add(p);
  out.reach = box.diagonal() / diagonal_;
  std::vector<char> inside(at.size());
  parallelChunks(at.size(), 16, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t j = begin; j < end; ++j) inside[j] = isInside(at[j]);
  });
  out.inside = static_cast<double>(std::ranges::count(inside, 1)) / static_cast<double>(at.size());
  const std::vector<double> found = distances(skeleton, at);
  out.cover = std::accumulate(found.begin(), found.end(), 0.0) / static_cast<double>(found.size());
  return out;
}

LimbPlacement PlacementMeter::measureLimbs(const Skeleton& skeleton) const {
  LimbPlacement out;
  if (skeleton.joints.empty() || samples_.empty() || !(diagonal_ > 0)) return out;
  const std::vector<Vec3d> at = placed(skeleton, {});
  std::vector<double> inside(at.size()); // of the bone from the parent: share of its length
  parallelChunks(at.size(), 16, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t j = begin; j < end; ++j) {
      const int parent = skeleton.joints[j].parent;
      if (parent == kNoParent) continue;
      const Vec3d from = at[static_cast<std::size_t>(parent)];
      for (int k = 0; k < kPieces; ++k) inside[j] += isInside(from + (at[j] - from) * ((k + 0.5) / kPieces));
      inside[j] /= kPieces;
    }
  });
  double length_all = 0, length_inside = 0, bones = 0, away = 0;
  for (std::size_t j = 0; j < at.size(); ++j) {
    const int parent = skeleton.joints[j].parent;
    if (parent == kNoParent) continue;
    const double size = length(at[j] - at[static_cast<std::size_t>(parent)]);
    length_all += size;
    length_inside += size * inside[j];
    bones += 1;
    away += inside[j] == 0;
  }
  if (length_all > 0) out.along = length_inside / length_all;
  if (bones > 0) out.away = away / bones;
  std::vector<double> found = distances(skeleton, at);
  const auto far = found.begin() + static_cast<std::ptrdiff_t>(kFar * static_cast<double>(found.size() - 1));
  std::ranges::nth_element(found, far);
  out.far = *far;
  return out;
}

} // namespace skincells::io

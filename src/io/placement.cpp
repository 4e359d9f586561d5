#include "io/placement.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "rig/bones.h"

namespace skincells::io {
namespace {

constexpr double kClose = 0.03; // of the diagonal: a joint this close to the surface counts as inside
constexpr std::size_t kSamples = 400;

} // namespace

PlacementMeter::PlacementMeter(const Mesh& mesh) : query_(mesh), diagonal_(mesh.bounds().diagonal()) {
  const std::size_t step = std::max<std::size_t>(1, mesh.positions.size() / kSamples);
  for (std::size_t v = 0; v < mesh.positions.size(); v += step) samples_.push_back(toDouble(mesh.positions[v]));
}

Placement PlacementMeter::measure(const Skeleton& skeleton, const Affine& mesh_from_joints) const {
  Placement out;
  if (skeleton.joints.empty() || samples_.empty() || !(diagonal_ > 0)) return out;
  std::vector<Vec3d> at;
  for (int j = 0; j < skeleton.jointCount(); ++j) at.push_back(mesh_from_joints.apply(skeleton.bindPosition(j)));
  Box box;
  for (const Vec3d& p : at) box.add(p);
  out.reach = box.diagonal() / diagonal_;
  std::vector<char> inside(at.size());
  parallelChunks(at.size(), 16, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t j = begin; j < end; ++j) {
      const auto closest = query_.closestPoint(at[j]);
      inside[j] = !closest || closest->distance <= kClose * diagonal_ || query_.enclosure(at[j]) > 0.5;
    }
  });
  out.inside = static_cast<double>(std::ranges::count(inside, 1)) / static_cast<double>(at.size());
  double sum = 0;
  for (const Vec3d& p : samples_) {
    double nearest = INFINITY;
    for (std::size_t j = 0; j < at.size(); ++j) {
      const int parent = skeleton.joints[j].parent;
      const Vec3d& from = parent == kNoParent ? at[j] : at[static_cast<std::size_t>(parent)];
      nearest = std::min(nearest, rig::closestOnSegment(p, from, at[j]).squared_distance);
    }
    sum += std::sqrt(nearest);
  }
  out.cover = sum / static_cast<double>(samples_.size()) / diagonal_;
  return out;
}

} // namespace skincells::io

#include "bind/pose_objective.h"

#include <algorithm>

namespace skincells::binding {
namespace {

// In cm about the box's origin, so that float32 loses nothing to a far-off character.
loss::PoseLosses<float> makeLosses(const Mesh& welded, std::span<const BoneSpring> springs, const UnitBox& cm,
                                   int max_influences) {
  const auto toCm = [&](const Vec3d& x) { return (x - cm.origin) * cm.scale; };
  std::vector<Vec3f> rest;
  for (const Vec3f& p : welded.positions) rest.push_back(toFloat(toCm(toDouble(p))));
  std::vector<loss::Spring<float>> in_cm;
  for (const BoneSpring& s : springs) {
    const Vec3d anchor = toCm(s.anchor);
    const double rest_length = length(toCm(toDouble(welded.positions[s.vertex])) - anchor);
    in_cm.push_back({s.vertex, s.joint, toFloat(anchor), static_cast<float>(rest_length)});
  }
  return {rest, welded.triangles, std::move(in_cm), max_influences};
}

} // namespace

UnitBox unitBoxOf(const Mesh& mesh) {
  const Vec3d size = mesh.bounds().size();
  const double side = std::max({size.x, size.y, size.z});
  return {mesh.bounds().lo, side > 0 ? 1 / side : 1};
}

PoseObjective::PoseObjective(const Mesh& welded, std::span<const BoneSpring> springs, const UnitBox& box,
                             int max_influences, const loss::LossWeights& weights)
    : cm_{box.origin, kLossSize * box.scale}, weights_(weights),
      losses_(makeLosses(welded, springs, cm_, max_influences)) {}

PoseObjective::Poses PoseObjective::prepare(std::span<const Pose> poses) const {
  return deform::makePoseQuads<float>(poses, cm_.origin, cm_.scale);
}

double PoseObjective::evaluate(const weights::WeightRows& rows, const Poses& poses,
                               std::vector<float>& entry_gradient) {
  return losses_.evaluate(rows, poses, weights_, entry_gradient).total();
}

} // namespace skincells::binding

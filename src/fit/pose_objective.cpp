#include "fit/pose_objective.h"

namespace skincells::fit {
namespace {

loss::PoseLosses<float> makeLosses(const Mesh& welded, std::span<const rig::BoneSpring> springs,
                                   const mesh::SolveSpace& space, int max_influences) {
  std::vector<Vec3f> rest;
  for (const Vec3f& p : welded.positions) rest.push_back(toFloat(space.toSpace(toDouble(p))));
  std::vector<loss::Spring<float>> scaled;
  for (const rig::BoneSpring& s : springs) {
    const Vec3d anchor = space.toSpace(s.anchor);
    const double rest_length = length(space.toSpace(toDouble(welded.positions[s.vertex])) - anchor);
    scaled.push_back({s.vertex, static_cast<std::uint32_t>(s.joint), toFloat(anchor), static_cast<float>(rest_length)});
  }
  return {rest, welded.triangles, std::move(scaled), max_influences};
}

loss::Obstacle inSpace(const loss::Obstacle& obstacle, const mesh::SolveSpace& space) {
  return {mesh::inSpace(obstacle.mesh, space), obstacle.weights, obstacle.margin * space.scale,
          obstacle.reach * space.scale};
}

} // namespace

PoseObjective::PoseObjective(const Mesh& welded, std::span<const rig::BoneSpring> springs, const FieldParameters& field,
                             const loss::LossWeights& weights, const loss::Obstacle* obstacle)
    : space_{field.unit_origin, mesh::kCharacterSize * field.unit_scale}, weights_(weights),
      losses_(makeLosses(welded, springs, space_, field.max_influences)) {
  if (obstacle != nullptr) losses_.setObstacle(inSpace(*obstacle, space_));
}

PoseObjective::Poses PoseObjective::prepare(std::span<const Pose> poses) const {
  return {deform::makePoseQuads<float>(poses, space_.origin, space_.scale),
          std::make_shared<loss::ObstacleMemory<float>>()};
}

double PoseObjective::evaluate(const weights::WeightRows& rows, const Poses& poses,
                               std::vector<float>& entry_gradient) {
  return losses_.evaluate(rows, poses.quads, weights_, entry_gradient, poses.memory.get()).total();
}

} // namespace skincells::fit

// The pose losses of one mesh, as everything that optimizes weights sees them.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "loss/pose_losses.h"
#include "skincells/mesh.h"
#include "skincells/rig.h"

namespace skincells::binding {

// Losses are measured with the character's largest side at this length.
inline constexpr double kLossSize = 170; // cm

// Ties a vertex to a point that moves with a joint.
struct BoneSpring {
  std::uint32_t vertex = 0;
  std::uint32_t joint = 0; // among the deforming ones
  Vec3d anchor;            // in bind space
};

// The poses of one step. Each has one map per deforming joint, from bind space to posed space; the same step must
// always give the same poses.
using PoseSampler = std::function<std::vector<Pose>(int step, int count)>;

// A mesh in a box: x_unit = (x - origin) * scale, largest side 1.
struct UnitBox {
  Vec3d origin;
  double scale = 1;
};
UnitBox unitBoxOf(const Mesh& mesh);

class PoseObjective {
public:
  // welded: in bind space.
  PoseObjective(const Mesh& welded, std::span<const BoneSpring> springs, const UnitBox& box, int max_influences,
                const loss::LossWeights& weights);

  using Poses = deform::PoseQuads<float>;
  Poses prepare(std::span<const Pose> poses) const;
  // The total, and its derivative in the rows' weights.
  double evaluate(const weights::WeightRows& rows, const Poses& poses, std::vector<float>& entry_gradient);

private:
  UnitBox cm_;
  loss::LossWeights weights_;
  loss::PoseLosses<float> losses_;
};

} // namespace skincells::binding

// The pose losses of one mesh, as seen by everything that optimizes weights.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "loss/pose_losses.h"
#include "mesh/solve_space.h"
#include "rig/bones.h"
#include "skincells/field.h"
#include "skincells/mesh.h"
#include "skincells/rig.h"

namespace skincells::fit {

// The poses of one step. Each has one map per deforming joint, from bind space to posed space; the same step must
// always give the same poses.
using PoseBatches = std::function<std::vector<Pose>(int step, int count)>;

class PoseObjective {
public:
  // welded: in bind space. springs: over the joints of the field. The losses are measured in the field's unit box
  // scaled to mesh::kCharacterSize, so that float32 loses nothing on a character far from the origin. obstacle: in
  // bind space, what the mesh must stay out of; nullptr: nothing.
  PoseObjective(const Mesh& welded, std::span<const rig::BoneSpring> springs, const FieldParameters& field,
                const loss::LossWeights& weights, const loss::Obstacle* obstacle = nullptr);

  // Poses to measure in, any number of times.
  struct Poses {
    deform::PoseQuads<float> quads;
    std::shared_ptr<loss::ObstacleMemory<float>> memory;
  };
  Poses prepare(std::span<const Pose> poses) const;
  // The total, and its derivative in the rows' weights.
  double evaluate(const weights::WeightRows& rows, const Poses& poses, std::vector<float>& entry_gradient);

private:
  mesh::SolveSpace space_;
  loss::LossWeights weights_;
  loss::PoseLosses<float> losses_;
};

} // namespace skincells::fit

// The method of the product: a surface-aware guess, fitted into a field of skin cells, improved by the pose losses and
// pulled back towards the guess (Larionov et al. 2025, arXiv 2506.14714; the guess and the order of the steps are
// ours). Options turn it into the paper's own method, and into its comparisons.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bind/pose_objective.h"
#include "bind/rigid_parts.h"
#include "bind/stages.h"
#include "bind/symmetry.h"
#include "skincells/bind.h"
#include "skincells/field.h"
#include "skincells/mesh.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::binding {

struct SkinCells {
  std::optional<FieldParameters> field; // over the deforming joints, in their order; slack 0
  SparseWeights weights;                // over the skeleton's joints, one row per welded vertex
  std::vector<RigidPart> rigid_parts;
  std::optional<Symmetry> symmetry; // that was used; in bind space
  std::vector<LossCurve> curves;    // one per stage that took steps
  std::string stop_reason = "done";
  GuardReport guard;
  std::string guard_complaint; // why the first result was given up; empty: it was not
};

// welded: in bind space, at least one vertex. deforming: at least one joint. misplaced: see rig::boneSegments. poses:
// of the deforming joints, for the losses. options: resolved. Nothing when the caller asked to stop before the field
// was fitted; asked later, the best so far is the result.
std::optional<SkinCells> computeSkinCells(const Mesh& welded, const Skeleton& skeleton, std::span<const int> deforming,
                                          std::span<const int> misplaced, const PoseSampler& poses,
                                          const BindOptions& options, Stages& stages);

} // namespace skincells::binding

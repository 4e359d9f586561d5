// The method of the product: a surface-aware guess, fitted into a field of skin cells, improved by the pose losses and
// pulled back towards the guess (Larionov et al. 2025, arXiv 2506.14714; the guess and the order of the steps are
// ours).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "bind/field_fit.h"
#include "bind/rigid_parts.h"
#include "bind/stages.h"
#include "bind/surface_guess.h"
#include "skincells/field.h"
#include "skincells/mesh.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::binding {

struct SkinCellsOptions {
  int max_influences = 4;
  int sites = 6;            // per joint, 1 .. 32
  double stiffness = 1;     // scales the location loss
  int fit_steps = 60;       // towards the guess
  int loss_steps = 100;     // of the pose losses
  int refit_steps = 40;     // towards the mean of field and guess
  double guess_share = 0.5; // of the guess in that mean, 0 .. 1
  std::uint64_t seed = 0;
  bool symmetry = true; // where the character is its own mirror image, so is the field
};

struct SkinCells {
  FieldParameters field; // over the deforming joints, in their order; slack 0
  SparseWeights weights; // over the skeleton's joints, one row per welded vertex
  std::vector<RigidPart> rigid_parts;
  std::optional<Symmetry> symmetry; // that was used; in bind space
  FitReport fit, losses, refit;
};

// welded: in bind space, at least one vertex. deforming: at least one joint. misplaced: see rig::boneSegments. poses:
// of the deforming joints, for the losses. Nothing when the caller asked to stop before the field was fitted; asked
// later, the best so far is the result.
std::optional<SkinCells> computeSkinCells(const Mesh& welded, const Skeleton& skeleton, std::span<const int> deforming,
                                          std::span<const int> misplaced, const PoseSampler& poses,
                                          const SkinCellsOptions& options, Stages& stages);

} // namespace skincells::binding

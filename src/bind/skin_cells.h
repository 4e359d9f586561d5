// The default method: a surface-aware guess is fitted into a field of skin cells, improved by the pose losses and
// pulled back toward the guess (Larionov et al. 2025, arXiv 2506.14714; the guess and the order of the steps are
// ours).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bind/stages.h"
#include "fit/pose_objective.h"
#include "fit/tuning.h"
#include "garment/cloth_rows.h"
#include "guess/prior/network.h"
#include "guess/rigid_parts.h"
#include "guess/symmetry.h"
#include "rig/bones.h"
#include "skincells/bind.h"
#include "skincells/field.h"
#include "skincells/mesh.h"
#include "skincells/weights.h"

namespace skincells::binding {

struct SkinCells {
  std::optional<FieldParameters> field; // over the deforming joints, in their order; slack 0
  SparseWeights weights;                // over the skeleton's joints, one row per welded vertex
  std::vector<float> confidence;        // 0 .. 1, one per welded vertex; empty: no prior
  std::vector<guess::RigidPart> rigid_parts;
  std::optional<guess::Symmetry> symmetry; // the symmetry that was used, in bind space
  std::vector<LossCurve> curves;           // one per stage that took steps
  std::string stop_reason = "done";
  GuardReport guard;
  std::optional<double> heat_stretch; // of --method heat, if the result stretches far more than its start
  std::string guard_complaint;        // why the optimized result was rejected; empty: it was not
};

// The settings that the options ask for.
fit::Tuning tuningFor(const BindOptions& options);

// A garment on its body.
struct Worn {
  const garment::ClothGuess& cloth; // for the welded garment
  loss::Obstacle obstacle;          // in bind space; weights over the joints of the poses
};

// Where the optimization begins: a field over the same joints, of the kind that the options ask for.
struct Start {
  const FieldParameters& field;
  bool same_shape; // its weights take the place of the guess; there is no confidence then
};

// welded: in bind space, at least one vertex. prior: corrects the guess; nullptr: none. batches: poses of the deforming
// joints, for the losses; other joints may follow them. worn: for a garment; nullptr: a character. start: nullptr:
// none. bends: by welded vertex, see guess::GuessOptions. A request to stop is an error (Cancelled) until the field is
// fitted; after that, the best state so far is the result.
Result<SkinCells> computeSkinCells(const Mesh& welded, const rig::DeformRig& rig, const guess::Prior* prior,
                                   const fit::PoseBatches& batches, const BindOptions& options,
                                   const fit::Tuning& tuning, Stages& stages, const Worn* worn = nullptr,
                                   const Start* start = nullptr, const std::vector<bool>& bends = {});

} // namespace skincells::binding

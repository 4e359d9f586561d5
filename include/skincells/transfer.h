// Existing weights transferred to another mesh of the same character.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "skincells/apply.h"
#include "skincells/character.h"
#include "skincells/garment.h"
#include "skincells/options.h"
#include "skincells/progress.h"
#include "skincells/result.h"

namespace skincells {

enum class TransferMethod {
  Field,   // fit a field to the source's weights and evaluate it on the target
  Closest, // interpolate at the closest point of the source's surface
  Robust,  // the same where position and normal agree; elsewhere inpaint smoothly over the target's surface
           // (Abdrashitov et al. 2023, "Robust Skin Weights Transfer via Weight Inpainting")
};

struct TransferOptions {
  TransferMethod via = TransferMethod::Robust;
  int max_influences = 0; // most joints per vertex; 0: as many as in the source, at most 8
  AlignChoice align = AlignChoice::Auto;
  // For TransferMethod::Field.
  int sites = 6;       // per cell, 1 .. 16
  int fit_steps = 200; // steps of the fit, 1 .. 5000
  bool normals = true; // the field sees normals
  // For TransferMethod::Robust: what counts as the same surface.
  double max_distance = 5; // to the source's surface, in % of its diagonal, 0 .. 100
  double max_angle = 30;   // between normals, degrees, 0 .. 180
};
const OptionTable<TransferOptions>& transferOptionTable();

// How well a field reproduces the weights it was fitted to, on the source mesh.
struct FieldFit {
  double half_l1 = 0;           // mean over vertices of half the L1 distance of rows, 0 .. 1
  double posed_rms_percent = 0; // posed error in random poses, % of the diagonal
  int pose_count = 0;
  std::vector<double> loss; // before each step
};

struct TransferResult {
  SparseWeights weights; // one canonical row per vertex of the target, over its joints; none empty
  Alignment alignment;   // field_from_mesh: source space from the target's
  int max_influences = 0;
  double mean_distance_percent = 0; // from the target's vertices to the source's surface, % of its diagonal
  std::optional<FieldFit> fit;      // for TransferMethod::Field
  std::optional<FieldDocument> field;
  std::uint32_t matched_vertices = 0;   // welded vertices; for robust transfer: those with copied weights
  std::uint32_t inpainted_vertices = 0; // those that were inpainted
  std::uint32_t unmatched_vertices = 0; // those of parts without a match, which take the closest point's weights
  Warnings warnings;
  double seconds = 0;
};

// Transfers the weights of `source` to `target`. Joints correspond by name (equal names in order); joints without
// weights may be missing in the target. Fails if the source has no weights or no triangles, joints are missing, or the
// bind poses do not line up.
Result<TransferResult> transferSkin(const Character& source, const Character& target,
                                    const TransferOptions& options = {}, const ProgressFunction& progress = {});

// A skinned character as the body of a garment.
struct PlacedBody {
  Body body;           // in the garment's bind space, over its joints
  Alignment alignment; // field_from_mesh: the body's space from the garment's
  Warnings warnings;
};
// Joints correspond by name; where the garment's skeleton lacks one, its part of the body follows the joint above it.
// Fails if the body has no weights or triangles, if most of it follows joints that the garment lacks, or if the bind
// poses do not line up.
Result<PlacedBody> placeBody(const Character& body, const Character& garment, AlignChoice align = AlignChoice::Auto);

} // namespace skincells

// Weights that exist, carried over to another mesh of the same character.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "skincells/apply.h"
#include "skincells/character.h"
#include "skincells/options.h"
#include "skincells/progress.h"
#include "skincells/result.h"

namespace skincells {

enum class TransferMethod {
  Field,   // fit a field to the source's weights and evaluate it on the target
  Closest, // interpolate at the closest point of the source's surface
  Robust,  // the same where position and normal agree; elsewhere continue smoothly over the target's surface
           // (Abdrashitov et al. 2023, "Robust Skin Weights Transfer via Weight Inpainting")
};

struct TransferOptions {
  TransferMethod via = TransferMethod::Robust;
  int max_influences = 0; // most joints per vertex; 0: as many as the source has, 8 at most
  AlignChoice align = AlignChoice::Auto;
  // For the field.
  int sites = 6;       // per cell, 1 .. 16
  int fit_steps = 200; // of the fit, 1 .. 5000
  // For robust transfer: what counts as the same surface.
  double max_distance = 5; // in % of the source's diagonal, 0 .. 100
  double max_angle = 30;   // between normals, degrees, 0 .. 180
};
const OptionTable<TransferOptions>& transferOptionTable();

// How well a field fits the weights that it was fitted to, on the source mesh.
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
  double mean_distance_percent = 0; // of the target's vertices from the source's surface, % of its diagonal
  std::optional<FieldFit> fit;      // for the field
  std::optional<FieldDocument> field;
  std::uint32_t matched_vertices = 0;   // welded; for robust transfer: those that were copied
  std::uint32_t inpainted_vertices = 0; // those that were filled in from copied ones
  std::uint32_t unmatched_vertices = 0; // those of parts without a single match, which were copied from the closest
  Warnings warnings;
  double seconds = 0;
};

// Carries the weights of `source` over to `target`. Joints correspond by name (equal names in order), but only those
// that carry weight have to be there. Fails where the source has no weights or no triangles to look at, joints are
// missing, or the bind poses do not line up.
Result<TransferResult> transferSkin(const Character& source, const Character& target,
                                    const TransferOptions& options = {}, const ProgressFunction& progress = {});

} // namespace skincells

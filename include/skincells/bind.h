// Computing weights: a character in, weights and a report out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "skincells/character.h"
#include "skincells/field.h"
#include "skincells/fit.h"
#include "skincells/joints.h"
#include "skincells/options.h"
#include "skincells/progress.h"
#include "skincells/result.h"

namespace skincells {

enum class BindMethod {
  SkinCells, // a field of skin cells, fitted to a surface-aware guess and optimized over random poses
  Proximity, // the K nearest bones, weighted 1/d^3.5: the baseline of Larionov et al. 2025
  Heat,      // the bone each vertex sees from inside, spread over the surface as heat
};

enum class BindQuality {
  Draft, // half the steps
  Normal,
};

// The poses that skin cells are optimized over.
enum class TrainingPoses {
  Ranges, // random poses within the joints' ranges of motion
  Clips,  // poses of the character's clips
};

enum class SymmetryChoice {
  Auto, // symmetric weights where skeleton and mesh are symmetric
  Off,
};

struct BindOptions {
  BindMethod method = BindMethod::SkinCells;
  int max_influences = 4; // most joints per vertex, 1 .. kMaxInfluences
  // Which joints may deform: "auto" (leave out IK targets, controls, end joints and the like), "all", "weighted"
  // (those that carry weight in the input's own skin), or the path of a joint list (docs/formats.md).
  std::string joints = "auto";
  // Exceptions to `joints`: names or patterns (`*`, `?`), separated by commas. An exact name overrides a pattern; if
  // two patterns disagree, the joint is dropped.
  std::string keep_joints = "", drop_joints = "";
  SymmetryChoice symmetry = SymmetryChoice::Auto; // ignored by proximity
  // The remaining options apply to skin cells only.
  BindQuality quality = BindQuality::Normal; // how long to optimize
  double stiffness = 1;                      // large: follow the bones; small: bend smoothly; 0.01 .. 100
  int sites = 6;                             // sites per cell; more follow the shape more closely, 1 .. 16
  std::uint64_t seed = 0;                    // seed of the random poses
  TrainingPoses poses = TrainingPoses::Ranges;
  // How far joints turn in the random poses: "generic", "humanoid", "clips", "auto", or the path of a range file
  // (docs/formats.md). "generic", one cone for all joints, measured best.
  std::string rom = "generic";
  bool early_stop = true; // stop the pose losses when the loss on held-out poses has settled
  bool guard = true;      // fall back to a safer result when the optimized one is broken or far worse than its start
};
const OptionTable<BindOptions>& bindOptionTable();

struct BindReport {
  std::vector<JointDecision> joints; // one per joint of the skeleton
  Warnings warnings;
  std::vector<StageTime> timings;
  std::string stop_reason = "done";    // of the pose losses: see LossCurve; whatever it is, the best so far was kept
  std::vector<LossCurve> curves;       // of skin cells, one per stage
  GuardReport guard;                   // of skin cells
  std::vector<JointMotion> motions;    // of skin cells, one per joint of the skeleton
  std::string poses;                   // of skin cells: "ranges" or "clips"
  int rigid_part_count = 0;            // separate parts that were given one row of weights
  std::optional<MirrorPlane> symmetry; // that was used; nothing: none was found, or not wanted
};

struct BindResult {
  SparseWeights weights; // one canonical row per vertex of the character's mesh, none of them empty
  BindReport report;
  // Of skin cells; its joints are the deforming ones, in order. Weights by vertex and by proximity have none.
  std::optional<FieldParameters> field;
};

// Binds the mesh to the skeleton. Vertices at one position get one row. Fails when there is no vertex, no joint, or
// no joint left to deform, and for numbers that are not finite and indices out of range; anything else is bound,
// however degenerate. The result depends on the inputs alone, not on the number of threads.
Result<BindResult> bind(const Character& character, const BindOptions& options = {},
                        const ProgressFunction& progress = {});

} // namespace skincells

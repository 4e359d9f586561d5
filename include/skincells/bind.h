// Computing weights: a character in, weights and a report out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "skincells/character.h"
#include "skincells/field.h"
#include "skincells/options.h"
#include "skincells/progress.h"
#include "skincells/result.h"

namespace skincells {

enum class BindMethod {
  SkinCells, // a field of skin cells, fitted to a surface-aware guess and optimised over random poses
  Proximity, // the K nearest bones, weighted 1/d^3.5: the baseline of Larionov et al. 2025
  Heat,      // the bone each vertex sees from inside, spread over the surface as heat
};

enum class BindQuality { Draft, Normal, High };

// Which poses skin cells are optimised over.
enum class TrainingPoses {
  Auto,   // TBD
  Ranges, // random ones within the joints' ranges of motion
  Clips,  // those of the character's clips
};

enum class SymmetryChoice {
  Auto, // where skeleton and mesh mirror each other, so do the weights
  Off,
};

struct BindOptions {
  BindMethod method = BindMethod::SkinCells;
  int max_influences = 4; // most joints per vertex
  // Which joints may deform: "auto" (leave out IK targets, controls, end joints and the like), "all", "weighted"
  // (those that carry weight in the input's own skin), or the path of a joint list (docs/formats.md).
  std::string joints = "auto";
  SymmetryChoice symmetry = SymmetryChoice::Auto; // not for proximity
  // The rest is for skin cells.
  BindQuality quality = BindQuality::Normal; // how long to optimise
  double stiffness = 1;                      // follow the bones (large) or bend smoothly (small), 0.01 .. 100
  int sites = 6;                             // per cell; more follow the shape more closely, 1 .. 16
  std::uint64_t seed = 0;                    // of the random poses
  TrainingPoses poses = TrainingPoses::Auto;
  // How far joints turn in them: "auto", "clips", "humanoid", "generic", or the path of a range file (docs/formats.md).
  std::string rom = "auto";
};
const OptionTable<BindOptions>& bindOptionTable();

// Why a joint may or may not deform.
struct JointDecision {
  int joint = -1;
  bool deforms = true;
  std::string rule;   // stable code: "deforms", "placeholder", "root", "control", "end", "outside", ...
  std::string reason; // for people
};

// How far a joint turns in random poses, and how that is known.
struct JointMotion {
  int joint = -1;
  std::string source = "generic"; // stable code: "rom-file", "clip", "humanoid", "generic"
  std::string detail;             // the entry of the range file, or the part of the body; else empty
  JointRange range;
};

// The plane in which a character mirrors itself: dot(normal, x) = offset in bind space.
struct MirrorPlane {
  Vec3d normal; // of unit length
  double offset = 0;
  int joint_pairs = 0;      // two different joints each
  double joint_share = 0;   // of the deforming joints that have a mirror image, 0 .. 1
  double surface_share = 0; // of the surface, 0 .. 1
};

struct StageTime {
  std::string name;
  double seconds = 0;
};

// How a loss fell, step by step.
struct LossCurve {
  std::string name;
  std::vector<double> values;
};

struct BindReport {
  std::vector<JointDecision> joints; // one per joint of the skeleton
  Warnings warnings;
  std::vector<StageTime> timings;
  std::string stop_reason = "done";    // or "cancelled" (the best so far was kept), "diverged"
  std::vector<LossCurve> curves;       // of skin cells, one per stage
  std::vector<JointMotion> motions;    // of skin cells, one per joint of the skeleton
  std::string poses;                   // of skin cells: "ranges", "clips", "ranges and clips"
  int rigid_part_count = 0;            // separate parts that were given one row of weights
  std::optional<MirrorPlane> symmetry; // that was used; nothing: none was found, or not wanted
};

struct BindResult {
  SparseWeights weights; // one canonical row per vertex of the character's mesh, none of them empty
  BindReport report;
  std::optional<FieldParameters> field; // of skin cells; its joints are the deforming ones, in order
};

// Binds the mesh to the skeleton. Vertices at one position get one row. Fails when there is no vertex, no joint, or
// no joint left to deform. The result depends on the inputs alone, not on the number of threads.
Result<BindResult> bind(const Character& character, const BindOptions& options = {},
                        const ProgressFunction& progress = {});

// Decides which joints deform, as `bind` would.
Result<std::vector<JointDecision>> chooseJoints(const Character& character, const std::string& spec);

} // namespace skincells

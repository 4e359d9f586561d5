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
  SkinCells, // a field of skin cells, fitted to a surface-aware guess and optimized over random poses
  Proximity, // the K nearest bones, weighted 1/d^3.5: the baseline of Larionov et al. 2025
  Heat,      // the bone each vertex sees from inside, spread over the surface as heat
};

enum class BindQuality { Draft, Normal, High };

// Which values the options have that are left open.
enum class BindPreset {
  Default, // what works best on real characters
  Paper,   // Larionov et al. 2025 to the letter, for comparison
};

// What is optimized: all of the field, or less of it to see what the rest is worth.
enum class BindAblation {
  None,
  Falloff,       // only the falloff of each cell
  SparseFalloff, // falloff and slack of each cell
  Vertex,        // no field: the weights of each vertex by themselves
};

enum class FieldStart {
  Surface, // sharp cells on bones corrected by the mesh, fitted to a surface-aware guess
  Bones,   // sharp cells on the skeleton's own bones
  Paper,   // nearly uniform cells on the skeleton's own bones: t = r = c = 1 in the unit box
};

enum class VertexStart { Heat, Proximity };
enum class RateSchedule { Cosine, Constant };
enum class OptimizedMesh { Simplified, Full };

// Which poses skin cells are optimized over.
enum class TrainingPoses {
  Auto,   // as Ranges: measured best over all (docs/experiments.md)
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
  // Single decisions over that: names or patterns (`*`, `?`), separated by commas. A name written out beats a pattern;
  // of two patterns, the one that drops wins.
  std::string keep_joints = "", drop_joints = "";
  SymmetryChoice symmetry = SymmetryChoice::Auto; // not for proximity
  // The rest is for skin cells.
  BindQuality quality = BindQuality::Normal; // how long to optimize
  double stiffness = 1;                      // follow the bones (large) or bend smoothly (small), 0.01 .. 100
  int sites = 6;                             // per cell; more follow the shape more closely, 1 .. 16
  std::uint64_t seed = 0;                    // of the random poses
  TrainingPoses poses = TrainingPoses::Auto;
  // How far joints turn in them: "generic" (one cone for all), "humanoid" (by the parts of a body that names tell, the
  // others generic), "clips" (as far as the clips turn them, the others as by names), or the path of a range file
  // (docs/formats.md; the others as "auto"). "auto" is "generic": measured best over all.
  std::string rom = "auto";
  BindPreset preset = BindPreset::Default;
  BindAblation ablation = BindAblation::None;

  // For experts. What is left open follows from preset, quality and ablation (`resolveOptions`).
  std::optional<double> smoothness_weight = {}, location_weight = {}, sparsity_weight = {}; // of the losses, 0 .. 1e6
  std::optional<int> fit_steps = {};      // towards the guess before the pose losses, 0 .. 100000
  std::optional<int> steps = {};          // of the pose losses, 0 .. 100000
  std::optional<int> refit_steps = {};    // towards the mean of field and guess afterwards, 0 .. 100000
  std::optional<double> guess_share = {}; // of the guess in that mean, 0 .. 1
  std::optional<int> poses_per_step = {}; // 1 .. 64
  std::optional<int> pose_set = {};       // poses drawn once, of which each step takes some; 0: new ones for each step
  std::optional<double> rate = {};        // of Adam in the pose losses
  std::optional<double> center_rate = {}; // the same for site centers, in unit boxes
  std::optional<RateSchedule> rate_schedule = {};
  std::optional<FieldStart> start = {};
  std::optional<OptimizedMesh> optimized_mesh = {};
  VertexStart vertex_start = VertexStart::Heat; // where the ablation Vertex starts
  std::optional<bool> early_stop = {};          // end the pose losses when the held-out loss has settled
  std::optional<bool> guard = {};               // give up a result that is far worse than its start
};
const OptionTable<BindOptions>& bindOptionTable();
// The options with nothing left open, as `bind` uses them.
BindOptions resolveOptions(BindOptions options);

// Why a joint may or may not deform.
struct JointDecision {
  int joint = -1;
  bool deforms = true;
  std::string rule;   // stable code: "deforms", "placeholder", "root", "control", "end", "outside", "user", ...
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

// The loss over poses that were never trained on, before step `step`.
struct HeldOutLoss {
  int step = 0;
  double loss = 0;
};

// How a stage of the optimization went.
struct LossCurve {
  std::string name;                  // "fit", "losses", "refit"
  std::vector<double> values;        // training loss before each step
  std::vector<HeldOutLoss> held_out; // where the stage watches it; the state with the lowest was kept
  // "done": all steps were taken; "settled": the held-out loss had stopped falling; "cancelled"; "diverged"
  std::string stop_reason = "done";
};

// What the guard found in one candidate for the result, measured on the mesh that was optimized.
struct GuardFinding {
  std::string candidate;  // "result", "fit", "proximity"
  double stretch_rms = 0; // of |ln(posed / bind edge length)| over held-out poses
  int empty_vertices = 0; // without a usable weight
  int lost_joints = 0;    // that carried flesh at the start and now carry none
  bool accepted = true;
};

struct GuardReport {
  bool enabled = false;
  double start_stretch_rms = 0;       // of the guess; of proximity where there is none
  std::vector<GuardFinding> findings; // in the order in which they were tried; the last one is the result
};

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

// Single decisions of the user, see BindOptions.
struct JointOverrides {
  std::string keep = "", drop = "";
};
// Decides which joints deform, as `bind` would; spec: see BindOptions::joints.
Result<std::vector<JointDecision>> chooseJoints(const Character& character, const std::string& spec,
                                                const JointOverrides& overrides = {});

} // namespace skincells

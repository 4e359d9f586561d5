// Computing weights: a character in, weights and a report out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "skincells/character.h"
#include "skincells/field.h"
#include "skincells/fit.h"
#include "skincells/garment.h"
#include "skincells/joints.h"
#include "skincells/options.h"
#include "skincells/progress.h"
#include "skincells/result.h"

namespace skincells {

enum class BindMethod {
  SkinCells, // a field of skin cells, fitted to a surface-aware guess and optimized over random poses
  Proximity, // the K nearest bones, weighted 1/d^3.5: the baseline of Larionov et al. 2025
  Heat,      // the bone each vertex sees from inside, diffused over the surface
};

enum class BindQuality {
  Draft, // about half the steps
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

enum class SkeletonChoice {
  Separate, // skeletons that share neither a tree nor a skin bind separate meshes
  Together, // every mesh may follow every joint of the file
};

// What a bind gives that was asked to stop before there was a result.
enum class InterruptChoice {
  Discard, // an error (Cancelled)
  Keep,    // weights by proximity
};

struct BindOptions {
  BindMethod method = BindMethod::SkinCells;
  int max_influences = 4; // most joints per vertex, 1 .. kMaxInfluences
  // Which joints may deform: "auto" (leave out IK targets, controls, end joints and the like), "all", "weighted"
  // (those that carry weight in the input's own skin), or the path of a joint list (docs/joints.md).
  std::string joints = "auto";
  // Exceptions to `joints`: names or patterns (`*`, `?`), separated by commas. An exact name overrides a pattern; if
  // two patterns disagree, the joint is dropped.
  std::string keep_joints = "", drop_joints = "";
  // What is known of parts of the mesh: "NAME=rigid:JOINT", "NAME=follow" (one row, that of what the part touches) or
  // "NAME=field" (bends, whatever it looks like), separated by commas; NAME: a name or pattern of a section of the
  // mesh. The others are decided by their shape.
  std::string parts = "";
  SkeletonChoice skeletons = SkeletonChoice::Separate;
  SymmetryChoice symmetry = SymmetryChoice::Auto; // ignored by proximity
  // The remaining options apply to skin cells only.
  BindQuality quality = BindQuality::Normal; // how long to optimize
  double stiffness = 1;                      // large: follow the bones; small: bend smoothly; 0.01 .. 100
  int sites = 6;                             // sites per cell; more follow the shape more closely, 1 .. 16
  bool normals = true;                       // the field sees normals: limbs that lie close to each other share less
  std::uint64_t seed = 0;                    // seed of the random poses
  TrainingPoses poses = TrainingPoses::Ranges;
  // How far joints turn in the random poses: "generic", "humanoid", "clips", "auto", or the path of a range file
  // (docs/motion.md). "generic", one cone for all joints, measured best.
  std::string rom = "generic";
  bool early_stop = true; // stop the pose losses when the loss on held-out poses has settled
  bool guard = true;      // fall back to a safer result when the optimized one is broken or far worse than its start
  // Seconds after which the work is stopped, 0 .. 1e6; 0: no limit. The best result so far is kept: at least weights by
  // proximity. Checked between steps, so a stage may take somewhat longer.
  double time_limit = 0;
  InterruptChoice on_interrupt = InterruptChoice::Discard;
};
const OptionTable<BindOptions>& bindOptionTable();

// How a vertex came to its row.
enum class PartOrigin : std::uint8_t {
  Bends,        // by the method: its part is bound vertex by vertex
  Accessory,    // one row for the part: small and without a bone inside, it follows what it touches
  OneJoint,     // one row: the part is nearly all one joint's
  LeafInside,   // one row: all of the part is nearest to the leaf joint inside
  Speck,        // one row, that of the surface nearest to it: too small to be seen bending
  Loose,        // by its position: no triangle uses the vertex
  Torn,         // by its neighbors: the vertex is far outside the character
  Scenery,      // the topmost joint: the part is far from every joint
  RigidByName,  // --part NAME=rigid:JOINT
  FollowByName, // --part NAME=follow
  FieldByName,  // --part NAME=field
};
const char* partOriginName(PartOrigin origin);   // "accessory", ...
const char* partOriginReason(PartOrigin origin); // a sentence for people

struct BindReport {
  bool stoppedEarly() const { return stop_reason == "time_limit" || stop_reason == "cancelled"; }

  std::vector<JointDecision> joints; // one per joint of the skeleton
  Warnings warnings;
  std::vector<StageTime> timings;
  int rigid_part_count = 0;            // connected parts that got a single row of weights
  std::vector<PartOrigin> origins;     // one per vertex; empty for garments
  std::optional<MirrorPlane> symmetry; // the symmetry that was used; nothing: not found, or not asked for
  // The remaining fields are for skin cells.
  // Why the pose losses ended (see LossCurve), or "time_limit" or "cancelled" if the bind was stopped early; the best
  // state so far is always kept.
  std::string stop_reason = "done";
  std::vector<LossCurve> curves; // one per stage
  GuardReport guard;
  std::vector<JointMotion> motions; // one per joint of the skeleton
  std::string poses;                // "ranges" or "clips"
};

struct BindResult {
  SparseWeights weights; // one canonical row per vertex of the character's mesh, none of them empty
  BindReport report;
  // How sure the learned prior is of each vertex of the character's mesh, 0 .. 1: low where the joints that it might
  // follow would carry it far apart, 0 for strays and scenery. Empty for other methods than skin cells. See
  // docs/prior.md.
  std::vector<float> confidence;
  // Made by skin cells, over the deforming joints in their order. Nothing for other methods, if the guard fell back to
  // proximity, and if several skeletons were bound separately.
  std::optional<FieldParameters> field;
};

// Binds the mesh to the skeleton. Vertices at one position get one row. Fails if there is no vertex, no joint or no
// joint that may deform, for non-finite numbers and for indices out of range. Everything else is bound, however
// degenerate. The result depends on the inputs alone, not on the number of threads.
Result<BindResult> bind(const Character& character, const BindOptions& options = {},
                        const ProgressFunction& progress = {});

// Binds a garment over its body: own joints of the garment, and those of the body under it, move it so that it stays
// outside of the posed body. Everything else is as with `bind`. start: rows of the garment, for example of a bind of
// body and garment together. They are then changed only where that keeps more of the garment outside of the body, in
// poses of their own, and the result has no field.
Result<BindResult> bindGarment(const Character& garment, const Body& body, const BindOptions& options = {},
                               const GarmentOptions& garment_options = {}, const ProgressFunction& progress = {},
                               const SparseWeights* start = nullptr);

} // namespace skincells

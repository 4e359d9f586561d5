#include "bind/skin_cells.h"

#include <algorithm>

#include "baseline/proximity.h"
#include "bind/bone_springs.h"
#include "bind/field_fit.h"
#include "bind/guard.h"
#include "bind/pose_batches.h"
#include "bind/site_placement.h"
#include "bind/surface_guess.h"
#include "bind/vertex_fit.h"
#include "field/evaluate.h"
#include "field/initialize.h"
#include "rig/bones.h"

namespace skincells::binding {
namespace {

// Skeleton joints <-> joints of the field.
struct JointMap {
  std::span<const int> deforming;
  std::vector<int> field_joint; // by skeleton joint, -1: none

  JointMap(std::span<const int> joints, std::size_t joint_count) : deforming(joints), field_joint(joint_count, -1) {
    for (std::size_t f = 0; f < joints.size(); ++f)
      field_joint[static_cast<std::size_t>(joints[f])] = static_cast<int>(f);
  }
  int toField(int joint) const { return field_joint[static_cast<std::size_t>(joint)]; }

  SparseWeights toField(SparseWeights w) const {
    for (std::size_t i = 0; i < w.joints.size(); ++i)
      w.joints[i] = w.weights[i] > 0 ? static_cast<std::uint16_t>(field_joint[w.joints[i]]) : std::uint16_t{0};
    return w;
  }
  SparseWeights toSkeleton(SparseWeights w) const {
    for (std::size_t i = 0; i < w.joints.size(); ++i)
      w.joints[i] = w.weights[i] > 0 ? static_cast<std::uint16_t>(deforming[w.joints[i]]) : std::uint16_t{0};
    return w;
  }
};

// Where the stages lie between the choice of joints and the end, by what they usually cost.
struct Plan {
  Share guess, fit, losses, refit, check, evaluate;

  explicit Plan(const BindOptions& o) {
    const double pose_step = 0.8 + 0.15 * *o.poses_per_step; // in steps of the fit
    const std::pair<Share*, double> costs[] = {
        {&guess, 40}, {&fit, *o.fit_steps}, {&losses, *o.steps * pose_step}, {&refit, *o.refit_steps},
        {&check, 5},  {&evaluate, 5}};
    double total = 0, at = kCellsBegin;
    for (const auto& [share, cost] : costs) total += cost;
    for (const auto& [share, cost] : costs) {
      *share = {at, at + cost / total * (kCellsEnd - kCellsBegin)};
      at = share->end;
    }
  }
};

constexpr int kHeldOutPoses = 8; // two quads: enough to tell better from worse, cheap enough to look often

// What the optimization works on; weights and springs are over the deforming joints.
struct Setup {
  Mesh mesh; // welded, in bind space
  std::vector<rig::BoneSegment> bones;
  std::vector<BoneSpring> springs;
  SparseWeights guess;              // empty where none is needed, and so is what belongs to it:
  std::vector<float> trust;         // in the guess, per vertex
  std::vector<RigidRow> rigid;      // over the vertices of the full mesh
  std::optional<Symmetry> symmetry; // in bind space
  PoseSampler poses;                // for training
  std::vector<Pose> held_out;
};

bool needsGuess(const BindOptions& options) {
  const bool by_vertex = options.ablation == BindAblation::Vertex;
  return options.start == FieldStart::Surface || *options.fit_steps > 0 || *options.refit_steps > 0 ||
         (by_vertex && options.vertex_start == VertexStart::Heat);
}

SparseWeights proximityOf(std::span<const Vec3f> positions, const Setup& setup, const JointMap& map,
                          const BindOptions& options) {
  return map.toField(baseline::proximityWeights(positions, setup.bones, {.max_influences = options.max_influences}));
}

FieldParameters startField(const Setup& setup, const JointMap& map, const Mesh& welded, const BindOptions& options) {
  const UnitBox box = unitBoxOf(welded);
  std::vector<field::BoneSegment> segments;
  for (const rig::BoneSegment& s : setup.bones)
    segments.push_back({map.toField(s.joint), (s.a - box.origin) * box.scale, (s.b - box.origin) * box.scale});
  const FieldLayout layout{static_cast<int>(map.deforming.size()), options.sites};
  constexpr field::InitialValues kPaper{.offset = 1, .falloff = 1, .slack = 1};
  FieldParameters field = field::initializeField(segments, layout, options.max_influences, options.seed,
                                                 options.start == FieldStart::Paper ? kPaper : field::InitialValues{});
  field.unit_origin = box.origin;
  field.unit_scale = box.scale;
  return field;
}

// How much of the guess goes into the mean of guess and field: more where the guess is trusted.
std::vector<double> guessShares(std::span<const float> trusts, double mean_share) {
  constexpr double kReach = 0.3; // between no trust and full trust, at a share of one half
  const double reach = 2 * kReach * std::min(mean_share, 1 - mean_share);
  std::vector<double> shares;
  for (float trust : trusts) shares.push_back(mean_share + reach * (static_cast<double>(trust) - 0.5));
  return shares;
}

// Cells on the plane stay free: with half as many sites of their own they follow the flesh of a torso or head worse.
std::optional<FieldMirror> mirrorOf(const FieldParameters& field, const std::optional<Symmetry>& symmetry,
                                    const JointMap& map) {
  if (!symmetry || field.layout.shape != FieldShape::ScaleRotation) return std::nullopt;
  std::vector<int> twin;
  for (int j : map.deforming) {
    const int other = symmetry->twin[static_cast<std::size_t>(j)];
    twin.push_back(other < 0 || other == j ? -1 : map.toField(other));
  }
  return FieldMirror(field, symmetry->normal, symmetry->offset, std::move(twin));
}

// shares[v] * a + (1 - shares[v]) * b, row by row.
SparseWeights blend(const SparseWeights& a, const SparseWeights& b, std::span<const double> shares) {
  SparseWeights out(a.vertexCount(), a.slots + b.slots);
  const auto put = [&](const SparseWeights& from, double factor, std::size_t v, std::size_t slot) {
    for (std::size_t k = 0; k < from.weightRow(v).size(); ++k) {
      out.jointRow(v)[slot + k] = from.jointRow(v)[k];
      out.weightRow(v)[slot + k] = static_cast<float>(factor * from.weightRow(v)[k]);
    }
  };
  for (std::size_t v = 0; v < a.vertexCount(); ++v) {
    put(a, shares[v], v, 0);
    put(b, 1 - shares[v], v, static_cast<std::size_t>(a.slots));
  }
  canonicalize(out, out.slots);
  return out;
}

// The guess and the mesh that the field is optimized on.
CoarseGuess guessFor(const Mesh& welded, const Skeleton& skeleton, const JointMap& map, std::span<const int> misplaced,
                     const BindOptions& options) {
  const GuessOptions how{.max_influences = options.max_influences,
                         .symmetry = options.symmetry == SymmetryChoice::Auto};
  if (options.optimized_mesh == OptimizedMesh::Simplified)
    return guessForField(welded, skeleton, map.deforming, misplaced, how);
  CoarseGuess out;
  out.mesh = welded;
  out.guess = guessOnSurface(welded, skeleton, map.deforming, misplaced, how);
  out.rigid = rigidRows(out.guess.rigid_parts, out.guess.weights);
  return out;
}

// Looks at the surface as far as the options want it to.
bool setUpSurface(Setup& setup, const Mesh& welded, const Skeleton& skeleton, const JointMap& map,
                  std::span<const int> misplaced, const BindOptions& options, const Plan& plan, Stages& stages) {
  if (!stages.begin("guess", plan.guess.begin)) return false;
  std::vector<Spring> springs;
  if (needsGuess(options)) {
    CoarseGuess coarse = guessFor(welded, skeleton, map, misplaced, options);
    setup.mesh = std::move(coarse.mesh);
    setup.guess = map.toField(std::move(coarse.guess.weights));
    setup.trust = std::move(coarse.guess.trust);
    setup.rigid = std::move(coarse.rigid);
    setup.symmetry = std::move(coarse.guess.symmetry);
    setup.bones = std::move(coarse.guess.bones);
    springs = std::move(coarse.guess.springs);
  } else {
    setup.mesh = options.optimized_mesh == OptimizedMesh::Full ? welded : simplifiedForGuess(welded);
  }
  if (options.start != FieldStart::Surface) {
    setup.bones = rig::boneSegments(skeleton, map.deforming, misplaced);
    springs = springsToNearestBones(setup.mesh, setup.bones);
  }
  for (const Spring& s : springs)
    setup.springs.push_back({s.vertex, static_cast<std::uint32_t>(map.toField(s.joint)), s.foot});
  return true;
}

void setUpPoses(Setup& setup, const PoseSampler& poses, const BindOptions& options) {
  setup.held_out = heldOutPoses(poses, kHeldOutPoses);
  setup.poses = *options.pose_set > 0 ? fromFixedSet(poses, *options.pose_set, options.seed) : poses;
}

LossFitOptions lossOptions(const BindOptions& options, const Setup& setup) {
  LossFitOptions losses;
  losses.steps = *options.steps;
  losses.poses_per_step = *options.poses_per_step;
  losses.rate = *options.rate;
  losses.center_rate = *options.center_rate;
  losses.schedule = options.rate_schedule == RateSchedule::Cosine ? optim::Schedule::Cosine : optim::Schedule::Constant;
  losses.sites = options.ablation == BindAblation::None;
  losses.slack = options.ablation != BindAblation::Falloff;
  losses.weights = {*options.smoothness_weight, *options.location_weight * options.stiffness, *options.sparsity_weight};
  losses.held_out = setup.held_out;
  losses.watch.stop = *options.early_stop;
  return losses;
}

void note(SkinCells& out, const char* stage, const FitReport& report) {
  if (report.loss.empty() && report.held_out.empty()) return;
  LossCurve curve{stage, report.loss, {}, report.stop_reason};
  for (const optim::HeldOutSample& h : report.held_out) curve.held_out.push_back({h.step, h.loss});
  out.curves.push_back(std::move(curve));
}

// The field through its stages. Returns false when the caller asked to stop before there was a result; `fitted` is the
// field before the pose losses.
bool optimizeField(const Setup& setup, const BindOptions& options, const Plan& plan, const FieldMirror* mirror,
                   FieldParameters& field, FieldParameters& fitted, SkinCells& out, Stages& stages) {
  const bool sites = options.ablation == BindAblation::None;
  if (!stages.begin("fit", plan.fit.begin)) return false;
  if (options.start == FieldStart::Surface) placeSitesInFlesh(field, setup.mesh.positions, setup.guess, mirror);
  if (*options.fit_steps > 0)
    note(out, "fit",
         fitToWeights(field, setup.mesh.positions, setup.guess,
                      {.steps = *options.fit_steps, .sites = sites, .mirror = mirror}, stages.within(plan.fit)));
  if (stages.stopped()) return false;
  fitted = field;

  if (stages.begin("losses", plan.losses.begin)) {
    LossFitOptions how = lossOptions(options, setup);
    how.mirror = mirror;
    const FitReport losses =
        minimizeLosses(field, setup.mesh, setup.springs, setup.poses, how, stages.within(plan.losses));
    out.stop_reason = losses.stop_reason;
    note(out, "losses", losses);
  }
  if (stages.begin("refit", plan.refit.begin) && *options.refit_steps > 0) {
    const SparseWeights mean = blend(setup.guess, field::evaluateHard(field, setup.mesh.positions),
                                     guessShares(setup.trust, *options.guess_share));
    note(out, "refit",
         fitToWeights(
             field, setup.mesh.positions, mean,
             {.steps = *options.refit_steps, .rate = 0.02, .center_rate = 0.002, .sites = sites, .mirror = mirror},
             stages.within(plan.refit)));
  }
  if (stages.stopped()) out.stop_reason = "cancelled";
  return true;
}

// Down the ladder until something is no disaster: the result, the field as it was before the pose losses, proximity.
// Returns whether the field is the result.
bool chooseSafeField(const Setup& setup, const JointMap& map, const BindOptions& options, FieldParameters& field,
                     const FieldParameters& fitted, SkinCells& out) {
  const SparseWeights nearest =
      setup.guess.empty() ? proximityOf(setup.mesh.positions, setup, map, options) : SparseWeights();
  Guard guard(setup.mesh, setup.guess.empty() ? nearest : setup.guess, setup.held_out,
              static_cast<int>(map.deforming.size()), *options.guard);
  bool is_field = guard.accept("result", field::evaluateHard(field, setup.mesh.positions));
  if (!is_field) {
    field = fitted;
    is_field = guard.accept("fit", field::evaluateHard(field, setup.mesh.positions));
  }
  if (!is_field) guard.settleFor("proximity", proximityOf(setup.mesh.positions, setup, map, options));
  out.guard = guard.report();
  out.guard_complaint = guard.complaint();
  return is_field;
}

bool optimizeVertices(const Setup& setup, const JointMap& map, const BindOptions& options, const Plan& plan,
                      SkinCells& out, Stages& stages) {
  if (!stages.begin("losses", plan.losses.begin)) return false;
  const SparseWeights start =
      options.vertex_start == VertexStart::Heat ? setup.guess : proximityOf(setup.mesh.positions, setup, map, options);
  SparseWeights weights = start;
  const FitReport report = minimizeVertexLosses(weights, options.max_influences, setup.mesh, setup.springs, setup.poses,
                                                lossOptions(options, setup), stages.within(plan.losses));
  note(out, "losses", report);
  out.stop_reason = report.stop_reason;
  static_cast<void>(stages.begin("check", plan.check.begin));
  Guard guard(setup.mesh, start, setup.held_out, static_cast<int>(map.deforming.size()), *options.guard);
  if (!guard.accept("result", weights)) guard.settleFor("start", weights = start);
  out.guard = guard.report();
  out.guard_complaint = guard.complaint();
  out.weights = map.toSkeleton(std::move(weights));
  return true;
}

void bindRigid(std::span<const RigidRow> rigid, SkinCells& out) {
  for (const RigidRow& r : rigid) {
    r.bind(out.weights);
    out.rigid_parts.push_back(r.part);
  }
}

} // namespace

std::optional<SkinCells> computeSkinCells(const Mesh& welded, const Skeleton& skeleton, std::span<const int> deforming,
                                          std::span<const int> misplaced, const PoseSampler& poses,
                                          const BindOptions& options, Stages& stages) {
  const JointMap map(deforming, skeleton.joints.size());
  const Plan plan(options);
  Setup setup;
  if (!setUpSurface(setup, welded, skeleton, map, misplaced, options, plan, stages)) return std::nullopt;
  setUpPoses(setup, poses, options);
  SkinCells out;
  if (options.ablation == BindAblation::Vertex) {
    if (!optimizeVertices(setup, map, options, plan, out, stages)) return std::nullopt;
    return out;
  }

  FieldParameters field = startField(setup, map, welded, options), fitted;
  const std::optional<FieldMirror> tie = mirrorOf(field, setup.symmetry, map);
  if (!optimizeField(setup, options, plan, tie ? &*tie : nullptr, field, fitted, out, stages)) return std::nullopt;
  static_cast<void>(stages.begin("check", plan.check.begin)); // too late to stop: the result is there
  const bool is_field = chooseSafeField(setup, map, options, field, fitted, out);
  static_cast<void>(stages.begin("evaluate", plan.evaluate.begin));
  out.weights = map.toSkeleton(is_field ? field::evaluateHard(field, welded.positions)
                                        : proximityOf(welded.positions, setup, map, options));
  if (is_field) out.field = std::move(field);
  canonicalize(out.weights, options.max_influences);
  if (options.start == FieldStart::Surface) bindRigid(setup.rigid, out);
  out.symmetry = setup.symmetry;
  return out;
}

} // namespace skincells::binding

#include "bind/skin_cells.h"

#include <algorithm>

#include "base/try.h"
#include "bind/training_poses.h"
#include "field/evaluate.h"
#include "field/initialize.h"
#include "fit/field_fit.h"
#include "fit/field_normals.h"
#include "fit/guard.h"
#include "fit/site_placement.h"
#include "guess/proximity.h"
#include "guess/surface_guess.h"
#include "mesh/solve_space.h"
#include "weights/rows_edit.h"

namespace skincells::binding {
namespace {

// Skeleton joints <-> joints of the field.
struct JointMap {
  std::vector<int> deforming;   // by joint of the field
  std::vector<int> field_joint; // by joint of the skeleton, -1: none

  explicit JointMap(const rig::DeformRig& rig) : deforming(rig.deforming), field_joint(rig.skeleton.joints.size(), -1) {
    for (std::size_t f = 0; f < deforming.size(); ++f) field_joint[deforming[f]] = static_cast<int>(f);
  }
  SparseWeights toField(SparseWeights w) const {
    weights::remapJoints(w, field_joint);
    return w;
  }
  SparseWeights toSkeleton(SparseWeights w) const {
    weights::remapJoints(w, deforming);
    return w;
  }
};

// The share of the whole work that each stage covers, by what it usually costs.
struct Plan {
  Share guess, fit, losses, refit, check, evaluate;

  explicit Plan(const fit::Tuning& t) {
    const double pose_step = 0.8 + 0.15 * t.poses_per_step; // in steps of the fit
    const std::pair<Share*, double> costs[] = {
        {&guess, 40}, {&fit, t.fit_steps}, {&losses, t.loss_steps * pose_step}, {&refit, t.refit_steps},
        {&check, 5},  {&evaluate, 5}};
    double total = 0, at = kCellsShare.begin;
    for (const auto& [share, cost] : costs) total += cost;
    for (const auto& [share, cost] : costs) {
      *share = {at, at + cost / total * (kCellsShare.end - kCellsShare.begin)};
      at = share->end;
    }
  }
};

// What the field is optimized on. Weights and springs are over the joints of the field.
struct Problem {
  Mesh mesh; // simplified, in bind space
  std::vector<rig::BoneSegment> bones;
  std::vector<rig::BoneSpring> springs;
  SparseWeights guess;
  std::vector<float> trust;           // in the guess, by vertex
  std::vector<guess::RigidRow> rigid; // over the vertices of the full mesh
  std::vector<float> confidence;      // the same
  std::optional<guess::Symmetry> symmetry;
  std::vector<Pose> held_out;
};

// The weights that the start gives the mesh, as a guess that is trusted everywhere alike.
guess::CoarseGuess guessOfStart(const FieldParameters& start, const Mesh& welded, const rig::DeformRig& rig,
                                const guess::GuessOptions& options) {
  constexpr float kTrust = 0.5F;
  SparseWeights rows = field::evaluateHard(start, {welded.positions, fit::normalsSeen(start, welded)});
  weights::remapJoints(rows, rig.deforming);
  const std::vector<float> trust(rows.vertexCount(), kTrust);
  return guess::coarseGuessFrom(welded, rig, rows, trust, options);
}

guess::CoarseGuess makeGuess(const Mesh& welded, const rig::DeformRig& rig, const guess::Prior* prior,
                             const BindOptions& options, const Worn* worn, const Start* start,
                             const std::vector<bool>& bends, const ProgressFunction& progress) {
  guess::GuessOptions guess{.max_influences = options.max_influences,
                            .symmetry = options.symmetry == SymmetryChoice::Auto,
                            .prior = prior,
                            .bends = bends};
  if (start != nullptr && start->same_shape) return guessOfStart(start->field, welded, rig, guess);
  if (worn != nullptr) return guess::coarseGuessFrom(welded, rig, worn->cloth.weights, worn->cloth.trust, guess);
  constexpr double kQuestions = 6; // how often it asks
  int asked = 0;
  guess.go_on = [&] { return progress({{}, ++asked / (kQuestions + 1), {}, {}}); };
  return guess::guessForField(welded, rig, guess);
}

Problem makeProblem(guess::CoarseGuess coarse, const JointMap& map, const fit::PoseBatches& batches,
                    int held_out_poses) {
  Problem p;
  p.mesh = std::move(coarse.mesh);
  p.bones = std::move(coarse.guess.bones);
  p.springs = std::move(coarse.guess.springs);
  for (rig::BoneSpring& s : p.springs) s.joint = map.field_joint[s.joint];
  p.guess = map.toField(std::move(coarse.guess.weights));
  p.trust = std::move(coarse.guess.trust);
  p.rigid = std::move(coarse.rigid);
  p.confidence = std::move(coarse.confidence);
  p.symmetry = std::move(coarse.guess.symmetry);
  p.held_out = heldOutPoses(batches, held_out_poses);
  return p;
}

FieldParameters startField(const Problem& problem, const JointMap& map, const Mesh& welded,
                           const BindOptions& options) {
  const mesh::SolveSpace unit = mesh::unitSpace(welded.bounds());
  std::vector<field::BoneSegment> segments;
  for (const rig::BoneSegment& s : problem.bones)
    segments.push_back({map.field_joint[s.joint], unit.toSpace(s.a), unit.toSpace(s.b)});
  const FieldLayout layout{static_cast<int>(map.deforming.size()), options.sites, FieldShape::ScaleRotation,
                           options.normals};
  FieldParameters field = field::initializeField(segments, layout, options.max_influences, options.seed);
  field.unit_origin = unit.origin;
  field.unit_scale = unit.scale;
  return field;
}

// The cells of another field in place of those of this one, which keeps its slack.
void takeCells(const FieldParameters& other, FieldParameters& field) {
  const std::vector<float> slacks(field.logSlacks().begin(), field.logSlacks().end());
  field = other;
  std::ranges::copy(slacks, field.logSlacks().begin());
}

// Cells on the mirror plane stay free: tied to themselves they would have half as many independent sites and follow the
// shape of a torso or head less closely.
std::optional<fit::FieldMirror> mirrorOf(const FieldParameters& field, const std::optional<guess::Symmetry>& symmetry,
                                         const JointMap& map) {
  if (!symmetry || field.layout.shape != FieldShape::ScaleRotation) return std::nullopt;
  std::vector<int> twin;
  for (int j : map.deforming) {
    const int other = symmetry->twin[j];
    twin.push_back(other < 0 || other == j ? -1 : map.field_joint[other]);
  }
  return fit::FieldMirror(field, symmetry->normal, symmetry->offset, std::move(twin));
}

// The share of the guess in the blend of guess and field, by vertex: larger where the guess is trusted.
std::vector<double> guessShares(std::span<const float> trusts, const fit::Tuning& tuning) {
  const double spread = 2 * tuning.trust_spread * std::min(tuning.guess_share, 1 - tuning.guess_share);
  std::vector<double> shares;
  for (float trust : trusts) shares.push_back(tuning.guess_share + spread * (static_cast<double>(trust) - 0.5));
  return shares;
}

fit::LossFitOptions lossOptions(const fit::Tuning& tuning, const Problem& problem, std::span<const Vec3f> normals,
                                const fit::FieldMirror* mirror, const Worn* worn) {
  fit::LossFitOptions options;
  options.steps = tuning.loss_steps;
  options.poses_per_step = tuning.poses_per_step;
  options.pose_batches = tuning.pose_batches;
  options.rates = tuning.loss_rates;
  options.weights = tuning.loss_weights;
  options.held_out = problem.held_out;
  options.watch = tuning.watch;
  options.mirror = mirror;
  options.normals = normals;
  if (worn != nullptr) options.obstacle = &worn->obstacle;
  return options;
}

void note(SkinCells& out, const char* stage, const fit::FitReport& report) {
  if (report.loss.empty() && report.held_out.empty()) return;
  LossCurve curve{stage, report.loss, {}, report.stop_reason};
  for (const auto& [step, loss] : report.held_out) curve.held_out.push_back({step, loss});
  out.curves.push_back(std::move(curve));
}

// The first rung of the ladder that passes the guard, as rows over the joints of the field: of the field that passed,
// or of the welded mesh if no field did.
struct SafeResult {
  std::optional<FieldParameters> field;
  SparseWeights weights; // if there is no field
};

SafeResult chooseSafe(FieldParameters result, FieldParameters fitted, const Problem& problem, const FieldPoints& points,
                      const Mesh& welded, const rig::DeformRig& rig, const JointMap& map, const BindOptions& options,
                      SkinCells& out) {
  fit::Guard guard(problem.mesh, problem.guess, problem.held_out, static_cast<int>(map.deforming.size()),
                   options.guard);
  const auto nearest = [&](std::span<const Vec3f> positions, int count) {
    return map.toField(guess::proximityWeights(positions, problem.bones, {.max_influences = count}));
  };
  const int most = options.max_influences;
  SafeResult safe;
  if (guard.accept("result", field::evaluateHard(result, points))) {
    safe.field = std::move(result);
  } else if (guard.accept("fit", field::evaluateHard(fitted, points))) {
    safe.field = std::move(fitted);
  } else if (guard.accept("heat", problem.guess)) {
    safe.weights = map.toField(guess::guessWeights(welded, rig, {.max_influences = most}).weights);
  } else if (guard.accept("proximity", nearest(problem.mesh.positions, most))) {
    safe.weights = nearest(welded.positions, most);
  } else {
    guard.acceptLast("rigid", nearest(problem.mesh.positions, 1));
    safe.weights = nearest(welded.positions, 1);
  }
  if (guard.stretchesMore())
    out.heat_stretch =
        guard.stretchOf(map.toField(guess::guessWeights(problem.mesh, rig, {.max_influences = most}).weights));
  out.guard = guard.report();
  out.guard_complaint = guard.complaint();
  return safe;
}

} // namespace

fit::Tuning tuningFor(const BindOptions& options) {
  fit::Tuning tuning = options.quality == BindQuality::Draft ? fit::draftTuning() : fit::Tuning{};
  tuning.loss_weights.location *= options.stiffness;
  tuning.watch.stop = options.early_stop;
  return tuning;
}

Result<SkinCells> computeSkinCells(const Mesh& welded, const rig::DeformRig& rig, const guess::Prior* prior,
                                   const fit::PoseBatches& batches, const BindOptions& options,
                                   const fit::Tuning& tuning, Stages& stages, const Worn* worn, const Start* start,
                                   const std::vector<bool>& bends) {
  const JointMap map(rig);
  const Plan plan(tuning);
  SkinCells out;

  SKINCELLS_CHECK(stages.begin("guess", plan.guess.begin));
  guess::CoarseGuess coarse = makeGuess(welded, rig, prior, options, worn, start, bends, stages.within(plan.guess));
  if (stages.stopped()) return Stages::cancelled();
  const Problem problem = makeProblem(std::move(coarse), map, batches, tuning.held_out_poses);
  FieldParameters field = startField(problem, map, welded, options);
  if (start != nullptr) takeCells(start->field, field);
  const std::optional<fit::FieldMirror> symmetric = mirrorOf(field, problem.symmetry, map);
  const fit::FieldMirror* mirror = symmetric ? &*symmetric : nullptr;
  const std::vector<Vec3f> normals = fit::normalsSeen(field, problem.mesh);
  const FieldPoints points(problem.mesh.positions, normals);

  SKINCELLS_CHECK(stages.begin("fit", plan.fit.begin));
  if (start == nullptr) fit::placeSites(field, problem.mesh.positions, problem.guess, mirror);
  note(out, "fit",
       fit::fitToWeights(field, points, problem.guess,
                         {.steps = tuning.fit_steps, .rates = tuning.fit_rates, .mirror = mirror},
                         stages.within(plan.fit)));
  if (stages.stopped()) return Stages::cancelled();
  const FieldParameters fitted = field;

  if (stages.proceed("losses", plan.losses.begin); !stages.stopped()) {
    const fit::FitReport losses =
        fit::minimizeLosses(field, problem.mesh, problem.springs, batches,
                            lossOptions(tuning, problem, normals, mirror, worn), stages.within(plan.losses));
    out.stop_reason = losses.stop_reason;
    note(out, "losses", losses);
  }
  if (stages.proceed("refit", plan.refit.begin); !stages.stopped()) {
    const SparseWeights blended =
        weights::blend(problem.guess, field::evaluateHard(field, points), guessShares(problem.trust, tuning));
    note(out, "refit",
         fit::fitToWeights(field, points, blended,
                           {.steps = tuning.refit_steps, .rates = tuning.refit_rates, .mirror = mirror},
                           stages.within(plan.refit)));
  }
  if (stages.stopped()) out.stop_reason = "cancelled";

  stages.proceed("check", plan.check.begin);
  SafeResult safe = chooseSafe(std::move(field), fitted, problem, points, welded, rig, map, options, out);
  out.field = std::move(safe.field);

  stages.proceed("evaluate", plan.evaluate.begin);
  out.weights = map.toSkeleton(
      out.field ? field::evaluateHard(*out.field, {welded.positions, fit::normalsSeen(*out.field, welded)})
                : std::move(safe.weights));
  canonicalize(out.weights, options.max_influences);
  for (const guess::RigidRow& r : problem.rigid) {
    r.bind(out.weights);
    out.rigid_parts.push_back(r.part);
  }
  out.symmetry = problem.symmetry;
  out.confidence = problem.confidence;
  return out;
}

} // namespace skincells::binding

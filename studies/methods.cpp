#include "studies/methods.h"

#include <chrono>

#include "base/try.h"
#include "bind/input_check.h"
#include "bind/skin_cells.h"
#include "bind/training_poses.h"
#include "field/evaluate.h"
#include "field/initialize.h"
#include "fit/site_placement.h"
#include "mesh/solve_space.h"
#include "mesh/solve_weld.h"
#include "studies/fixed_poses.h"
#include "studies/problem.h"
#include "studies/vertex_fit.h"
#include "weights/rows_edit.h"

namespace skincells::studies {
namespace {

constexpr int kSites = 6;

Basis basisOf(const StudyOptions& options) {
  switch (options.variant) {
  case Variant::Paper:
    return Basis::PaperBones;
  case Variant::Product: // has a problem of its own
  case Variant::Bones:
    return Basis::Bones;
  case Variant::Guessed:
  case Variant::Falloff:
  case Variant::SparseFalloff:
    return options.full_mesh ? Basis::FullGuess : Basis::Guess;
  case Variant::Vertex:
    break;
  }
  return Basis::FullGuess;
}

// The product's settings, or the paper's.
fit::LossFitOptions lossOptions(const StudyOptions& options, const fit::PoseBatches& batches) {
  const fit::Tuning tuning;
  fit::LossFitOptions out;
  out.steps = tuning.loss_steps;
  out.poses_per_step = tuning.poses_per_step;
  out.rates = tuning.loss_rates;
  out.weights = tuning.loss_weights;
  if (!options.same_poses) out.held_out = binding::heldOutPoses(batches, tuning.held_out_poses);
  out.pose_batches = options.same_poses ? 1 : 0;
  if (options.same_poses) out.schedule = optim::Schedule::Constant;
  out.moving.sites = options.variant != Variant::Falloff && options.variant != Variant::SparseFalloff;
  out.moving.slack = options.variant != Variant::Falloff;
  if (options.variant == Variant::Paper) {
    out.steps = 1500;
    out.poses_per_step = 16;
    out.rates = {1e-3, 1e-3};
    out.schedule = optim::Schedule::Constant;
    out.weights.location = 6000;
  }
  if (options.variant == Variant::Bones) out.steps = 100;
  if (options.steps >= 0) out.steps = options.steps;
  if (options.location > 0) out.weights.location = options.location;
  if (options.rate > 0) {
    const double centers = out.rates.center_rate / out.rates.rate;
    out.rates = {options.rate, options.rate * centers};
  }
  return out;
}

FieldParameters startField(const Problem& p, int joint_count, const StudyOptions& options) {
  constexpr field::InitialValues kPaper{.offset = 1, .falloff = 1, .slack = 1};
  const mesh::SolveSpace unit = mesh::unitSpace(p.welded.bounds());
  std::vector<field::BoneSegment> segments;
  for (const rig::BoneSegment& s : p.bones) segments.push_back({s.joint, unit.toSpace(s.a), unit.toSpace(s.b)});
  field::InitialValues start = options.variant == Variant::Paper ? kPaper : field::InitialValues{};
  if (options.offset > 0) start.offset = options.offset;
  if (options.falloff > 0) start.falloff = options.falloff;
  if (options.slack > 0) start.slack = options.slack;
  FieldParameters field =
      field::initializeField(segments, {joint_count, kSites}, options.max_influences, options.seed, start);
  field.unit_origin = unit.origin;
  field.unit_scale = unit.scale;
  return field;
}

void optimizeField(const Problem& p, int joint_count, const StudyOptions& options, StudyResult& result) {
  const fit::Tuning tuning;
  const fit::LossFitOptions losses = lossOptions(options, p.batches);
  FieldParameters field = startField(p, joint_count, options);
  if (!p.guess.empty()) {
    fit::placeSites(field, p.mesh.positions, p.guess);
    fit::fitToWeights(field, p.mesh.positions, p.guess,
                      {.steps = tuning.fit_steps, .rates = tuning.fit_rates, .moving = {losses.moving.sites, false}});
  }
  const fit::PoseBatches batches =
      options.variant == Variant::Paper ? fromFixedSet(p.batches, 1024, options.seed) : p.batches;
  const auto start = std::chrono::steady_clock::now();
  result.losses = fit::minimizeLosses(field, p.mesh, p.springs, batches, losses);
  result.loss_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.weights = field::evaluateHard(field, p.welded.positions);
  result.field = std::move(field);
}

// The product's pipeline.
Result<void> runProduct(const Mesh& welded, const rig::DeformRig& rig, const fit::PoseBatches& batches,
                        const StudyOptions& options, StudyResult& result) {
  BindOptions bind;
  bind.max_influences = options.max_influences;
  bind.seed = options.seed;
  fit::Tuning tuning;
  if (options.steps >= 0) tuning.loss_steps = options.steps;
  std::vector<StageTime> timings;
  const ProgressFunction no_progress;
  binding::Stages stages(no_progress, timings);
  SKINCELLS_TRY(cells, binding::computeSkinCells(welded, rig, &guess::Prior::builtIn(), batches, bind, tuning, stages));
  for (const LossCurve& curve : cells.curves)
    if (curve.name == "losses") result.losses.loss = curve.values;
  result.losses.stop_reason = cells.stop_reason;
  result.weights = std::move(cells.weights);
  result.field = std::move(cells.field);
  return {};
}

} // namespace

const OptionTable<StudyOptions>& studyOptionTable() {
  static const OptionTable<StudyOptions> table{
      options::choice<StudyOptions, Variant>("variant", &StudyOptions::variant,
                                             {{"product", Variant::Product},
                                              {"paper", Variant::Paper},
                                              {"bones", Variant::Bones},
                                              {"guessed", Variant::Guessed},
                                              {"falloff", Variant::Falloff},
                                              {"sparse-falloff", Variant::SparseFalloff},
                                              {"vertex", Variant::Vertex}},
                                             "which variant of the method to run"),
      options::integer("max-influences", &StudyOptions::max_influences, 1, kMaxInfluences, "most joints per vertex"),
      options::integer("steps", &StudyOptions::steps, -1, 100000,
                       "steps of the pose losses; -1: the variant's own number"),
      options::real("location", &StudyOptions::location, 0, 1e6, "weight of the location loss; 0: the variant's own"),
      options::real("rate", &StudyOptions::rate, 0, 1, "first rate of the pose losses; 0: the variant's own"),
      options::real("offset", &StudyOptions::offset, 0, 100, "t of the start, unit box; 0: the variant's own"),
      options::real("falloff", &StudyOptions::falloff, 0, 100, "r of the start; 0: the variant's own"),
      options::real("slack", &StudyOptions::slack, 0, 100, "c of the start, unit box; 0: the variant's own"),
      options::text("joints", &StudyOptions::joints, "auto | all | weighted | FILE", "as in skincells bind"),
      options::integer("seed", &StudyOptions::seed, 0, std::int64_t{1} << 62U, "seed of the random poses"),
  };
  return table;
}

Result<StudyResult> runVariant(const Character& character, const StudyOptions& options) {
  SKINCELLS_CHECK(options::validate(studyOptionTable(), options));
  SKINCELLS_CHECK(binding::checkCharacter(character));
  SKINCELLS_TRY(rig, chooseRig(character, options.joints));
  BindOptions poses;
  poses.seed = options.seed;
  SKINCELLS_TRY(source, binding::choosePoses(character, rig.deforming, poses));
  const Weld weld = mesh::weldForSolve(character.mesh);
  StudyResult result;
  if (options.variant == Variant::Product) {
    const Mesh welded = mesh::solveMesh(character.mesh, weld);
    SKINCELLS_CHECK(runProduct(welded, rig, source.batches, options, result));
    cleanUp(welded, weld, options.max_influences, result.weights);
    return result;
  }

  const Problem problem =
      makeProblem(character, weld, rig, std::move(source.batches), basisOf(options), options.max_influences);
  if (options.variant == Variant::Vertex) {
    result.weights = problem.guess;
    const auto start = std::chrono::steady_clock::now();
    result.losses = minimizeVertexLosses(result.weights, options.max_influences, problem.mesh, problem.springs,
                                         problem.batches, lossOptions(options, problem.batches));
    result.loss_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  } else {
    optimizeField(problem, static_cast<int>(rig.deforming.size()), options, result);
  }
  weights::remapJoints(result.weights, rig.deforming);
  cleanUp(problem.welded, weld, options.max_influences, result.weights);
  return result;
}

} // namespace skincells::studies

#include "studies/methods.h"

#include "base/try.h"
#include "bind/input_check.h"
#include "bind/skin_cells.h"
#include "bind/training_poses.h"
#include "field/evaluate.h"
#include "field/initialize.h"
#include "fit/site_placement.h"
#include "guess/surface_guess.h"
#include "joints/rules.h"
#include "mesh/solve_space.h"
#include "mesh/solve_weld.h"
#include "metrics/fill_unweighted.h"
#include "studies/bone_springs.h"
#include "studies/fixed_poses.h"
#include "studies/vertex_fit.h"
#include "weights/rows_edit.h"

namespace skincells::studies {
namespace {

constexpr int kSites = 6;

// What a variant optimizes on. Springs, guess and poses are over the deforming joints.
struct Problem {
  Mesh welded;
  Mesh mesh; // the mesh that the losses are measured on
  std::vector<rig::BoneSegment> bones;
  std::vector<rig::BoneSpring> springs;
  SparseWeights guess;
  fit::PoseBatches batches;
};

struct FieldJoints {
  std::vector<int> of_skeleton; // -1: none

  explicit FieldJoints(const rig::DeformRig& rig) : of_skeleton(rig.skeleton.joints.size(), -1) {
    for (std::size_t f = 0; f < rig.deforming.size(); ++f) of_skeleton[rig.deforming[f]] = static_cast<int>(f);
  }
};

Result<rig::DeformRig> chooseRig(const Character& character, const StudyOptions& options) {
  SKINCELLS_TRY(decisions, chooseJoints(character, options.joints));
  rig::DeformRig rig{character.skeleton, {}, joints::misplacedJoints(joints::chooseByRules(character))};
  for (const JointDecision& d : decisions)
    if (d.deforms) rig.deforming.push_back(d.joint);
  if (rig.deforming.empty()) return Error{ErrorCode::NoJoints, "no joint deforms; keep at least one", "--joints"};
  return rig;
}

// The skeleton's own bones, and springs by the paper's rule.
void useBones(const rig::DeformRig& rig, Problem& p) {
  p.bones = rig::boneSegments(rig);
  p.springs = springsToNearestBones(p.mesh, p.bones);
}

// Bones, springs and weights of the product's guess.
void useGuess(const rig::DeformRig& rig, bool full_mesh, int max_influences, Problem& p) {
  const guess::GuessOptions options{.max_influences = max_influences};
  guess::Guess guess;
  if (full_mesh) {
    guess = guess::guessOnSurface(p.welded, rig, options);
    p.mesh = p.welded;
  } else {
    guess::CoarseGuess coarse = guess::guessForField(p.welded, rig, options);
    guess = std::move(coarse.guess);
    p.mesh = std::move(coarse.mesh);
  }
  p.bones = std::move(guess.bones);
  p.springs = std::move(guess.springs);
  p.guess = std::move(guess.weights);
}

Problem makeProblem(const Character& character, const Weld& weld, const rig::DeformRig& rig, fit::PoseBatches batches,
                    const StudyOptions& options) {
  Problem p;
  p.welded = mesh::solveMesh(character.mesh, weld);
  p.batches = std::move(batches);
  switch (options.variant) {
  case Variant::Paper:
    p.mesh = p.welded;
    useBones(rig, p);
    break;
  case Variant::Product: // has a problem of its own
  case Variant::Bones:
    useGuess(rig, false, options.max_influences, p);
    p.guess = {}; // only its bones and springs
    break;
  case Variant::Falloff:
  case Variant::SparseFalloff:
    useGuess(rig, false, options.max_influences, p);
    break;
  case Variant::Vertex:
    useGuess(rig, true, options.max_influences, p);
    break;
  }
  const FieldJoints joints(rig);
  for (rig::BoneSpring& s : p.springs) s.joint = joints.of_skeleton[s.joint];
  for (rig::BoneSegment& s : p.bones) s.joint = joints.of_skeleton[s.joint];
  if (!p.guess.empty()) weights::remapJoints(p.guess, joints.of_skeleton);
  return p;
}

// The product's settings, or the paper's.
fit::LossFitOptions lossOptions(const StudyOptions& options, const fit::PoseBatches& batches) {
  const fit::Tuning tuning;
  fit::LossFitOptions out;
  out.steps = tuning.loss_steps;
  out.poses_per_step = tuning.poses_per_step;
  out.rates = tuning.loss_rates;
  out.weights = tuning.loss_weights;
  out.held_out = binding::heldOutPoses(batches, tuning.held_out_poses);
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
  result.losses = fit::minimizeLosses(field, p.mesh, p.springs, batches, losses);
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

void cleanUp(const Mesh& welded, const Weld& weld, int max_influences, SparseWeights& weights) {
  canonicalize(weights, max_influences);
  metrics::fillUnweighted(welded.positions, weights);
  weights = gatherRows(weights, weld.welded_of_vertex);
}

} // namespace

const OptionTable<StudyOptions>& studyOptionTable() {
  static const OptionTable<StudyOptions> table{
      options::choice<StudyOptions, Variant>("variant", &StudyOptions::variant,
                                             {{"product", Variant::Product},
                                              {"paper", Variant::Paper},
                                              {"bones", Variant::Bones},
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
  SKINCELLS_TRY(rig, chooseRig(character, options));
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

  const Problem problem = makeProblem(character, weld, rig, std::move(source.batches), options);
  if (options.variant == Variant::Vertex) {
    result.weights = problem.guess;
    result.losses = minimizeVertexLosses(result.weights, options.max_influences, problem.mesh, problem.springs,
                                         problem.batches, lossOptions(options, problem.batches));
  } else {
    optimizeField(problem, static_cast<int>(rig.deforming.size()), options, result);
  }
  weights::remapJoints(result.weights, rig.deforming);
  cleanUp(problem.welded, weld, options.max_influences, result.weights);
  return result;
}

} // namespace skincells::studies

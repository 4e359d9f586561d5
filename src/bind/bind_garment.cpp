#include <algorithm>

#include "base/parallel.h"
#include "base/try.h"
#include "bind/input_check.h"
#include "bind/skin_cells.h"
#include "bind/stages.h"
#include "bind/training_poses.h"
#include "bind/wrap_up.h"
#include "garment/fitting.h"
#include "garment/keep_out.h"
#include "garment/tuning.h"
#include "joints/rules.h"
#include "mesh/solve_weld.h"
#include "rig/motion/joint_motions.h"
#include "skincells/bind.h"
#include "weights/rows_edit.h"

namespace skincells {
namespace {

constexpr std::uint64_t kKeepOutSeed = 7919; // poses of their own, neither those of the losses nor those of the report

// The joints of the poses: those that move the garment, then those that move only the body.
std::vector<int> posedJoints(const garment::Fitting& fitting) {
  std::vector<int> joints = fitting.cloth.moving;
  const SparseWeights& body = fitting.coarse.weights;
  std::vector<int> others;
  for (std::size_t i = 0; i < body.weights.size(); ++i)
    if (body.weights[i] > 0 && !std::ranges::binary_search(fitting.cloth.moving, int{body.joints[i]}))
      others.push_back(body.joints[i]);
  std::ranges::sort(others);
  others.erase(std::unique(others.begin(), others.end()), others.end());
  joints.insert(joints.end(), others.begin(), others.end());
  return joints;
}

loss::Obstacle obstacleOf(const garment::Fitting& fitting, std::span<const int> posed, std::size_t joint_count) {
  std::vector<int> index(joint_count, -1);
  for (std::size_t i = 0; i < posed.size(); ++i) index[static_cast<std::size_t>(posed[i])] = static_cast<int>(i);
  loss::Obstacle out{fitting.coarse.mesh, fitting.coarse.weights, fitting.margin, fitting.reach};
  weights::remapJoints(out.weights, index);
  return out;
}

fit::Tuning garmentTuning(const BindOptions& options) {
  fit::Tuning tuning = binding::tuningFor(options);
  tuning.loss_weights.collision = fit::kCollisionWeight;
  tuning.loss_weights.stretch = fit::kStretchWeight;
  tuning.pose_batches = fit::kGarmentPoseBatches;
  tuning.refit_steps = 0;
  return tuning;
}

Result<void> checkInput(const Character& character, const BindOptions& options) {
  SKINCELLS_CHECK(options::validate(bindOptionTable(), options));
  SKINCELLS_CHECK(binding::checkCharacter(character));
  if (options.method != BindMethod::SkinCells)
    return Error{ErrorCode::InvalidOption, "only --method skin-cells binds garments over a body", "--method"};
  if (!options.parts.empty())
    return Error{ErrorCode::InvalidOption, "is for binds without a body: a garment follows the body as one", "--part"};
  return {};
}

// The welded garment over its body: rows and a field.
Result<binding::SkinCells> solve(const Character& character, const garment::Fitting& fitting,
                                 const BindOptions& options, binding::Stages& stages, BindReport& report) {
  report.warnings = fitting.warnings;
  report.joints = fitting.cloth.decisions;
  const rig::DeformRig rig{character.skeleton, fitting.cloth.moving,
                           joints::misplacedJoints(joints::chooseByRules(character))};
  const std::vector<int> posed = posedJoints(fitting);
  SKINCELLS_TRY(poses, binding::choosePoses(character, posed, options, {fitting.cloth.own, fitting.motion.get()}));
  const binding::Worn worn{fitting.cloth, obstacleOf(fitting, posed, character.skeleton.joints.size())};
  SKINCELLS_TRY(cells, binding::computeSkinCells(fitting.welded, rig, nullptr, poses.batches, options,
                                                 garmentTuning(options), stages, &worn));
  binding::noteCells(cells, character.name, report);
  report.motions = std::move(poses.motions);
  report.poses = poses.poses;
  stages.proceed("clean up", binding::kCellsShare.end);
  binding::cleanUpRows(fitting.welded.positions, options.max_influences, cells.weights, report.warnings);
  return cells;
}

garment::KeepOutPoses keepOutPoses(const Character& character, const garment::Fitting& fitting,
                                   const std::vector<JointMotion>& motions, std::uint64_t seed) {
  const int count = garment::kTuning.keep_out_poses;
  std::vector<Pose> all = rig::posesWithin(character.skeleton, motions, 2 * count, seed + kKeepOutSeed);
  if (fitting.motion)
    parallelChunks(all.size(), 1, [&](std::size_t p, std::size_t, std::size_t) { fitting.motion->push(all[p]); });
  return {{all.begin(), all.begin() + count}, {all.begin() + count, all.end()}};
}

} // namespace

Result<BindResult> bindGarment(const Character& character, const Body& body, const BindOptions& options,
                               const GarmentOptions& garment_options, const ProgressFunction& progress,
                               const SparseWeights* start) {
  SKINCELLS_CHECK(checkInput(character, options));
  if (start != nullptr && start->vertexCount() != character.mesh.positions.size())
    return Error{ErrorCode::Mismatch, "the rows to start from are for another mesh", character.name};
  BindResult result;
  binding::Stages stages(progress, result.report.timings);
  SKINCELLS_CHECK(stages.begin("lay out", 0));
  SKINCELLS_TRY(fitting,
                garment::fitOn(character, body, garment_options,
                               {options.joints, options.keep_joints, options.drop_joints}, options.max_influences));
  SKINCELLS_TRY(cells, solve(character, fitting, options, stages, result.report));
  const Weld weld = mesh::weldForSolve(character.mesh);
  if (start != nullptr) {
    stages.proceed("keep out", binding::kCellsShare.end);
    SparseWeights rows = gatherRows(*start, weld.first_vertex);
    canonicalize(rows, options.max_influences);
    cells.weights = garment::keepOut(fitting, rows, cells.weights,
                                     keepOutPoses(character, fitting, result.report.motions, options.seed));
  } else {
    result.field = std::move(cells.field);
  }
  result.weights = gatherRows(cells.weights, weld.welded_of_vertex);
  stages.finish();
  if (progress) progress({"done", 1, {}, {}});
  return result;
}

} // namespace skincells

#include "skincells/bind.h"

#include <algorithm>

#include "base/try.h"
#include "bind/input_check.h"
#include "bind/skin_cells.h"
#include "bind/stages.h"
#include "bind/training_poses.h"
#include "guess/proximity.h"
#include "guess/surface_guess.h"
#include "joints/rules.h"
#include "metrics/fill_unweighted.h"
#include "rig/bones.h"

namespace skincells {
namespace {

// Placeholder joints must never end a bone, whatever --joints says.
std::vector<int> misplacedJoints(const Character& character, const BindOptions& options,
                                 const std::vector<JointDecision>& decisions) {
  return joints::misplacedJoints(options.joints == "auto" ? decisions : joints::chooseByRules(character));
}

Result<rig::DeformRig> chooseRig(const Character& character, const BindOptions& options, BindReport& report) {
  SKINCELLS_TRY(decisions, chooseJoints(character, options.joints, {options.keep_joints, options.drop_joints}));
  rig::DeformRig rig{character.skeleton, {}, misplacedJoints(character, options, decisions)};
  for (const JointDecision& d : decisions)
    if (d.deforms) rig.deforming.push_back(d.joint);
  if (rig.deforming.empty())
    return Error{ErrorCode::NoJoints, "the choice of joints leaves none that deforms; keep at least one", "--joints"};
  report.joints = std::move(decisions);
  return rig;
}

void warnAboutInput(const Character& character, std::size_t deforming, const BindOptions& options, Warnings& warnings) {
  if (deforming < static_cast<std::size_t>(options.max_influences))
    warnings.push_back({"bind.few_joints",
                        "only " + std::to_string(deforming) + " joints deform, fewer than the " +
                            std::to_string(options.max_influences) + " influences a vertex may have",
                        character.name});
  if (character.mesh.triangles.empty())
    warnings.push_back({"bind.no_triangles", "the mesh has vertices but no triangles", character.name});
}

// What a method computes: one row per welded vertex, over the skeleton's joints.
struct Bound {
  SparseWeights weights;
  std::optional<FieldParameters> field;
  std::vector<float> confidence; // one per welded vertex; empty: none
};

Result<Bound> bindByProximity(const Mesh& welded, const rig::DeformRig& rig, const BindOptions& options,
                              binding::Stages& stages) {
  SKINCELLS_CHECK(stages.begin("proximity", 0.3));
  return Bound{
      guess::proximityWeights(welded.positions, rig::boneSegments(rig), {.max_influences = options.max_influences}),
      {},
      {}};
}

Result<Bound> bindByHeat(const Mesh& welded, const rig::DeformRig& rig, const BindOptions& options,
                         binding::Stages& stages, BindReport& report) {
  SKINCELLS_CHECK(stages.begin("heat", 0.3));
  guess::Guess guess = guess::guessWeights(
      welded, rig, {.max_influences = options.max_influences, .symmetry = options.symmetry == SymmetryChoice::Auto});
  report.rigid_part_count = static_cast<int>(guess.rigid_parts.size());
  report.symmetry = guess.symmetry;
  return Bound{std::move(guess.weights), {}, {}};
}

void warnAboutCells(const Character& character, const binding::SkinCells& cells, Warnings& warnings) {
  if (cells.stop_reason == "diverged")
    warnings.push_back(
        {"bind.diverged", "the pose losses grew beyond bounds; the best state before that was kept", character.name});
  if (!cells.guard_complaint.empty())
    warnings.push_back({"bind.guard",
                        "the optimized weights were rejected because " + cells.guard_complaint +
                            "; falling back to: " + cells.guard.findings.back().candidate,
                        character.name});
}

Result<Bound> bindBySkinCells(const Character& character, const Mesh& welded, const rig::DeformRig& rig,
                              const BindOptions& options, binding::Stages& stages, BindReport& report) {
  SKINCELLS_TRY(poses, binding::choosePoses(character, rig.deforming, options));
  SKINCELLS_TRY(cells, binding::computeSkinCells(welded, rig, &guess::Prior::builtIn(), poses.batches, options,
                                                 binding::tuningFor(options), stages));
  warnAboutCells(character, cells, report.warnings);
  report.motions = std::move(poses.motions);
  report.poses = poses.poses;
  report.stop_reason = cells.stop_reason;
  report.curves = std::move(cells.curves);
  report.guard = std::move(cells.guard);
  report.rigid_part_count = static_cast<int>(cells.rigid_parts.size());
  report.symmetry = cells.symmetry;
  return Bound{std::move(cells.weights), std::move(cells.field), std::move(cells.confidence)};
}

Result<Bound> computeWeights(const Character& character, const Mesh& welded, const rig::DeformRig& rig,
                             const BindOptions& options, binding::Stages& stages, BindReport& report) {
  switch (options.method) {
  case BindMethod::Proximity:
    return bindByProximity(welded, rig, options, stages);
  case BindMethod::Heat:
    return bindByHeat(welded, rig, options, stages, report);
  case BindMethod::SkinCells:
    break;
  }
  return bindBySkinCells(character, welded, rig, options, stages, report);
}

// Makes every row canonical. Rows that are empty or not finite take the nearest usable one.
void cleanUpRows(std::span<const Vec3f> positions, int max_influences, SparseWeights& weights, Warnings& warnings) {
  canonicalize(weights, max_influences);
  const std::uint32_t filled = metrics::fillUnweighted(positions, weights);
  if (filled > 0)
    warnings.push_back(
        {"bind.filled_vertices",
         std::to_string(filled) + " vertices could not be weighted and take the weights of the nearest vertex", ""});
}

} // namespace

Result<BindResult> bind(const Character& character, const BindOptions& options, const ProgressFunction& progress) {
  SKINCELLS_CHECK(options::validate(bindOptionTable(), options));
  SKINCELLS_CHECK(binding::checkCharacter(character));
  BindResult result;
  BindReport& report = result.report;
  binding::Stages stages(progress, report.timings);

  SKINCELLS_CHECK(stages.begin("weld", 0));
  const Weld weld = weldByPosition(character.mesh.positions, weldTolerance(character.mesh));
  const Mesh welded = weldedMesh(character.mesh, weld);

  SKINCELLS_CHECK(stages.begin("choose joints", 0.01));
  SKINCELLS_TRY(rig, chooseRig(character, options, report));
  warnAboutInput(character, rig.deforming.size(), options, report.warnings);

  SKINCELLS_TRY(bound, computeWeights(character, welded, rig, options, stages, report));

  stages.proceed("clean up", binding::kCellsShare.end);
  cleanUpRows(welded.positions, options.max_influences, bound.weights, report.warnings);
  result.weights = gatherRows(bound.weights, weld.welded_of_vertex);
  result.field = std::move(bound.field);
  if (!bound.confidence.empty())
    for (std::uint32_t v : weld.welded_of_vertex) result.confidence.push_back(bound.confidence[v]);
  stages.finish();
  if (progress) progress({"done", 1, {}, {}});
  return result;
}

} // namespace skincells

#include "skincells/bind.h"

#include <algorithm>
#include <optional>

#include "baseline/proximity.h"
#include "bind/input_check.h"
#include "bind/joint_rules.h"
#include "bind/pose_source.h"
#include "bind/skin_cells.h"
#include "bind/stages.h"
#include "bind/surface_guess.h"
#include "metrics/fill_unweighted.h"
#include "rig/bones.h"

namespace skincells {
namespace {

Error cancelled() {
  return {ErrorCode::Cancelled, "stopped before there was a result", ""};
}

Result<void> checkInput(const Character& character, const BindOptions& options) {
  if (auto valid = options::validate(bindOptionTable(), options); !valid) return valid;
  return binding::checkCharacter(character);
}

std::vector<int> deformingJoints(const std::vector<JointDecision>& decisions) {
  std::vector<int> joints;
  for (const JointDecision& d : decisions)
    if (d.deforms) joints.push_back(d.joint);
  return joints;
}

// Canonical rows for all; those that came out empty or not finite take the nearest good one.
void tidy(std::span<const Vec3f> positions, int max_influences, SparseWeights& weights, Warnings& warnings) {
  canonicalize(weights, max_influences);
  const std::uint32_t filled = metrics::fillUnweighted(positions, weights);
  if (filled > 0)
    warnings.push_back({"bind.filled_vertices",
                        std::to_string(filled) + " vertices got no weight of their own and follow the nearest vertex",
                        ""});
}

void warnAboutJoints(const Character& character, std::size_t deforming, const BindOptions& options,
                     Warnings& warnings) {
  if (deforming < static_cast<std::size_t>(options.max_influences))
    warnings.push_back({"bind.few_joints",
                        "only " + std::to_string(deforming) + " joints deform, fewer than the " +
                            std::to_string(options.max_influences) + " influences a vertex may have",
                        character.name});
  if (character.mesh.triangles.empty())
    warnings.push_back({"bind.no_triangles", "the mesh has vertices but no triangles", character.name});
}

// Positions that mean nothing spoil bones whichever joints were asked for.
std::vector<int> misplacedJoints(const Character& character, const BindOptions& options, const BindReport& report) {
  return binding::misplacedJoints(options.joints == "auto" ? report.joints : binding::chooseByRules(character));
}

void warnAboutCells(const Character& character, const binding::SkinCells& cells, Warnings& warnings) {
  if (cells.stop_reason == "diverged")
    warnings.push_back(
        {"bind.diverged", "the pose losses grew beyond bounds; the best state before that was kept", character.name});
  if (!cells.guard_complaint.empty())
    warnings.push_back({"bind.guard",
                        "the optimized weights were given up, because " + cells.guard_complaint +
                            "; instead: " + cells.guard.findings.back().candidate,
                        character.name});
}

// Nothing when the caller asked to stop before there was a result.
std::optional<binding::SkinCells> bindSkinCells(const Character& character, const Mesh& welded,
                                                std::span<const int> deforming, const binding::PoseSource& poses,
                                                const BindOptions& options, binding::Stages& stages,
                                                BindReport& report) {
  auto cells =
      binding::computeSkinCells(welded, character.skeleton, deforming, misplacedJoints(character, options, report),
                                poses.sampler, resolveOptions(options), stages);
  if (!cells) return cells;
  warnAboutCells(character, *cells, report.warnings);
  report.motions = poses.motions;
  report.poses = poses.poses;
  report.stop_reason = cells->stop_reason;
  report.curves = std::move(cells->curves);
  report.guard = std::move(cells->guard);
  report.rigid_part_count = static_cast<int>(cells->rigid_parts.size());
  report.symmetry = cells->symmetry;
  return cells;
}

} // namespace

Result<BindResult> bind(const Character& character, const BindOptions& options, const ProgressFunction& progress) {
  if (auto ok = checkInput(character, options); !ok) return ok.error();
  BindResult result;
  binding::Stages stages(progress, result.report.timings);

  if (!stages.begin("weld", 0)) return cancelled();
  const Weld weld = weldByPosition(character.mesh.positions, weldTolerance(character.mesh));
  std::vector<Vec3f> positions;
  positions.reserve(weld.weldedCount());
  for (std::uint32_t v : weld.first_vertex) positions.push_back(character.mesh.positions[v]);

  if (!stages.begin("choose joints", 0.01)) return cancelled();
  auto decisions = chooseJoints(character, options.joints, {options.keep_joints, options.drop_joints});
  if (!decisions) return std::move(decisions).error();
  result.report.joints = std::move(*decisions);
  const std::vector<int> deforming = deformingJoints(result.report.joints);
  if (deforming.empty())
    return Error{ErrorCode::NoJoints, "the choice of joints leaves none that deforms; keep at least one", "--joints"};
  warnAboutJoints(character, deforming.size(), options, result.report.warnings);

  SparseWeights weights;
  if (options.method == BindMethod::Proximity) {
    if (!stages.begin("proximity", 0.3)) return cancelled();
    const auto misplaced = binding::misplacedJoints(result.report.joints);
    weights = baseline::proximityWeights(positions, rig::boneSegments(character.skeleton, deforming, misplaced),
                                         {.max_influences = options.max_influences});
  } else if (options.method == BindMethod::Heat) {
    if (!stages.begin("heat", 0.3)) return cancelled();
    binding::Guess guess = binding::guessWeights(
        weldedMesh(character.mesh, weld), character.skeleton, deforming,
        misplacedJoints(character, options, result.report),
        {.max_influences = options.max_influences, .symmetry = options.symmetry == SymmetryChoice::Auto});
    weights = std::move(guess.weights);
    result.report.rigid_part_count = static_cast<int>(guess.rigid_parts.size());
    result.report.symmetry = guess.symmetry;
  } else {
    const auto poses = binding::choosePoses(character, deforming, options);
    if (!poses) return poses.error();
    auto cells =
        bindSkinCells(character, weldedMesh(character.mesh, weld), deforming, *poses, options, stages, result.report);
    if (!cells) return cancelled();
    weights = std::move(cells->weights);
    result.field = std::move(cells->field);
  }

  static_cast<void>(stages.begin("tidy", binding::kCellsEnd)); // too late to stop: the result is there
  tidy(positions, options.max_influences, weights, result.report.warnings);
  result.weights = gatherRows(weights, weld.welded_of_vertex);
  stages.finish();
  if (progress) progress("done", 1);
  return result;
}

} // namespace skincells

#include "skincells/bind.h"

#include <algorithm>
#include <optional>

#include "baseline/proximity.h"
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
  if (character.mesh.positions.empty())
    return Error{ErrorCode::NoMesh, "there is no vertex to bind; give a file with a mesh", character.name};
  if (character.skeleton.joints.empty())
    return Error{ErrorCode::NoSkeleton, "there is no joint to bind to; give a file with a skeleton, or name one",
                 character.name};
  return {};
}

std::vector<int> deformingJoints(const std::vector<JointDecision>& decisions) {
  std::vector<int> joints;
  for (const JointDecision& d : decisions)
    if (d.deforms) joints.push_back(d.joint);
  return joints;
}

// One row per vertex from one row per welded vertex.
SparseWeights unweld(const SparseWeights& welded, const Weld& weld) {
  SparseWeights out(weld.welded_of_vertex.size(), welded.slots);
  for (std::size_t v = 0; v < weld.welded_of_vertex.size(); ++v) {
    const std::size_t from = weld.welded_of_vertex[v];
    std::ranges::copy(welded.jointRow(from), out.jointRow(v).begin());
    std::ranges::copy(welded.weightRow(from), out.weightRow(v).begin());
  }
  return out;
}

// Canonical rows for all; those that came out empty or not finite take the nearest good one.
void tidy(std::span<const Vec3f> positions, int max_influences, SparseWeights& weights, Warnings& warnings) {
  canonicalise(weights, max_influences);
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

binding::SkinCellsOptions cellOptions(const BindOptions& options) {
  binding::SkinCellsOptions cells;
  cells.max_influences = options.max_influences;
  cells.sites = options.sites;
  cells.stiffness = options.stiffness;
  cells.seed = options.seed;
  cells.symmetry = options.symmetry == SymmetryChoice::Auto;
  if (options.quality == BindQuality::Draft) cells.fit_steps = 30, cells.loss_steps = 30, cells.refit_steps = 20;
  if (options.quality == BindQuality::High) cells.fit_steps = 120, cells.loss_steps = 300, cells.refit_steps = 80;
  return cells;
}

// Positions that mean nothing spoil bones whichever joints were asked for.
std::vector<int> misplacedJoints(const Character& character, const BindOptions& options, const BindReport& report) {
  return binding::misplacedJoints(options.joints == "auto" ? report.joints : binding::chooseByRules(character));
}

// Nothing when the caller asked to stop before there was a result.
std::optional<binding::SkinCells> bindSkinCells(const Character& character, const Mesh& welded,
                                                std::span<const int> deforming, const binding::PoseSource& poses,
                                                const BindOptions& options, binding::Stages& stages,
                                                BindReport& report) {
  auto cells =
      binding::computeSkinCells(welded, character.skeleton, deforming, misplacedJoints(character, options, report),
                                poses.sampler, cellOptions(options), stages);
  if (!cells) return cells;
  report.motions = poses.motions;
  report.poses = poses.poses;
  report.stop_reason = cells->losses.stop_reason;
  report.curves = {{"fit", cells->fit.loss}, {"losses", cells->losses.loss}, {"refit", cells->refit.loss}};
  report.rigid_part_count = static_cast<int>(cells->rigid_parts.size());
  report.symmetry = cells->symmetry;
  if (report.stop_reason == "diverged")
    report.warnings.push_back(
        {"bind.diverged", "the pose losses grew beyond bounds; the last good state was kept", character.name});
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

  if (!stages.begin("choose joints", 0.1)) return cancelled();
  auto decisions = chooseJoints(character, options.joints);
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

  static_cast<void>(stages.begin("tidy", 0.95)); // too late to stop: the result is there
  tidy(positions, options.max_influences, weights, result.report.warnings);
  result.weights = unweld(weights, weld);
  stages.finish();
  if (progress) progress("done", 1);
  return result;
}

} // namespace skincells

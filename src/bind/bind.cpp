#include "skincells/bind.h"

#include <algorithm>
#include <chrono>
#include <string_view>

#include "baseline/proximity.h"
#include "bind/joint_rules.h"
#include "bind/surface_guess.h"
#include "metrics/fill_unweighted.h"
#include "rig/bones.h"

namespace skincells {
namespace {

// Runs the stages one after the other: tells the caller, takes the time, and notices when the caller wants to stop.
class Stages {
public:
  Stages(const ProgressFunction& progress, std::vector<StageTime>& timings) : progress_(progress), timings_(timings) {}

  // Returns false when the caller asked to stop.
  [[nodiscard]] bool begin(std::string_view name, double fraction) {
    finish();
    name_ = name;
    start_ = std::chrono::steady_clock::now();
    return !progress_ || progress_(name, fraction);
  }
  void finish() {
    if (name_.empty()) return;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
    timings_.push_back({std::string(name_), seconds.count()});
    name_ = {};
  }

private:
  const ProgressFunction& progress_;
  std::vector<StageTime>& timings_;
  std::string_view name_;
  std::chrono::steady_clock::time_point start_;
};

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

std::string_view stageName(BindMethod method) {
  return method == BindMethod::Heat ? "heat" : "proximity";
}

SparseWeights computeWeights(const Character& character, const Mesh& welded, const std::vector<int>& deforming,
                             const std::vector<JointDecision>& decisions, const BindOptions& options) {
  const Skeleton& skeleton = character.skeleton;
  if (options.method == BindMethod::Heat) {
    // Also where the user chose the joints himself: a placeholder is no place for a bone to end.
    const auto misplaced =
        binding::misplacedJoints(options.joints == "auto" ? decisions : binding::chooseByRules(character));
    return binding::guessWeights(welded, skeleton, deforming, misplaced, {.max_influences = options.max_influences});
  }
  return baseline::proximityWeights(welded.positions,
                                    rig::boneSegments(skeleton, deforming, binding::misplacedJoints(decisions)),
                                    {.max_influences = options.max_influences});
}

} // namespace

Result<BindResult> bind(const Character& character, const BindOptions& options, const ProgressFunction& progress) {
  if (auto ok = checkInput(character, options); !ok) return ok.error();
  BindResult result;
  Stages stages(progress, result.report.timings);

  if (!stages.begin("weld", 0)) return cancelled();
  const Weld weld = weldByPosition(character.mesh.positions, weldTolerance(character.mesh));
  const Mesh welded = weldedMesh(character.mesh, weld);

  if (!stages.begin("choose joints", 0.1)) return cancelled();
  auto decisions = chooseJoints(character, options.joints);
  if (!decisions) return std::move(decisions).error();
  result.report.joints = std::move(*decisions);
  const std::vector<int> deforming = deformingJoints(result.report.joints);
  if (deforming.empty())
    return Error{ErrorCode::NoJoints, "the choice of joints leaves none that deforms; keep at least one", "--joints"};
  warnAboutJoints(character, deforming.size(), options, result.report.warnings);

  if (!stages.begin(stageName(options.method), 0.3)) return cancelled();
  SparseWeights weights = computeWeights(character, welded, deforming, result.report.joints, options);

  if (!stages.begin("tidy", 0.9)) return cancelled();
  tidy(welded.positions, options.max_influences, weights, result.report.warnings);
  result.weights = unweld(weights, weld);
  stages.finish();
  if (progress) progress("done", 1);
  return result;
}

} // namespace skincells

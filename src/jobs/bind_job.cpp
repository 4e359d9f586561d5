#include "skincells/jobs/bind_job.h"

#include <filesystem>

#include "base/try.h"
#include "bind/bind_on.h"
#include "io/gltf/edit/pack.h"
#include "jobs/bound_cloud.h"
#include "jobs/cloud.h"
#include "jobs/fitting_file.h"
#include "jobs/option_file.h"
#include "jobs/outfit.h"
#include "jobs/run_alone.h"
#include "jobs/unused_options.h"
#include "skincells/apply.h"

namespace skincells {
namespace {

// What the options ask for, of the whole file.
struct Bound {
  BindResult result;
  std::optional<jobs::Outfit> outfit;
};
Result<Bound> bindFile(const BindJob& job, const CharacterFile& file, std::span<const Character> inner,
                       OutputSet& outputs, const ProgressFunction& progress) {
  if (job.wear.wanted()) {
    SKINCELLS_TRY(outfit, jobs::bindOutfit(job, file, inner, outputs, progress));
    BindResult result = std::move(outfit.result);
    return Bound{std::move(result), std::move(outfit)};
  }
  if (job.start.empty()) {
    SKINCELLS_TRY(result, bind(file.character(), job.bind, progress));
    return Bound{std::move(result), {}};
  }
  SKINCELLS_TRY(start, readFieldFile(job.start));
  SKINCELLS_TRY(result, bindOn({.start = &start, .same_shape = job.same_shape}, file.character(), job.bind, progress));
  return Bound{std::move(result), {}};
}

// The field as it is written: with parts, unit and up-axis of the file, and provenance.
Result<FieldDocument> fieldOf(const BindJob& job, const CharacterFile& file, BindResult& result) {
  if (!result.field)
    return Error{ErrorCode::InvalidOption,
                 job.wear.wanted()
                     ? "an outfit has no single field; bind each garment as a file of its own, with --body"
                     : "this bind has no field to write; its warnings say why",
                 "--field"};
  SKINCELLS_TRY(hash, hashOfFile(job.input));
  FieldDocument document = describeField(file.character(), result, result.report.warnings);
  document.meters_per_unit = file.info().meters_per_unit;
  document.up_axis = file.info().up_axis;
  document.provenance.input = std::filesystem::path(job.input).filename().string();
  document.provenance.input_sha256 = std::move(hash);
  for (const auto& option : bindOptionTable())
    document.provenance.options.emplace_back(option.name, option.get(job.bind));
  return document;
}

// Options that the chosen method ignores.
Result<void> checkUnused(const BindJob& job) {
  const BindMethod method = job.bind.method;
  if (method == BindMethod::SkinCells) return {};
  const std::string chosen = method == BindMethod::Heat ? "--method heat" : "--method proximity";
  SKINCELLS_CHECK(jobs::refuseUnused(
      bindOptionTable(), job.bind,
      {"quality", "stiffness", "sites", "normals", "training-poses", "rom", "seed", "early-stop", "guard"}, chosen));
  if (method == BindMethod::Proximity)
    SKINCELLS_CHECK(jobs::refuseUnused(bindOptionTable(), job.bind, {"symmetry"}, chosen));
  if (!job.start.empty()) return Error{ErrorCode::InvalidOption, "does nothing with " + chosen, "--start"};
  return {};
}

} // namespace

JobFiles filesOf(const BindJob& job) {
  JobFiles files{{job.input, job.start, job.read.rig, jobs::optionFile(job.bind.joints), jobs::optionFile(job.bind.rom),
                  job.verdict.gate},
                 {job.output, job.field.field},
                 job.write.force};
  for (std::string& path : job.wear.bodies()) files.inputs.push_back(std::move(path));
  return files;
}

Result<BindOutcome> run(const BindJob& job, OutputSet& outputs, const ProgressFunction& progress) {
  return jobs::runOver(job, {}, outputs, progress);
}

Result<BindOutcome> jobs::runOver(const BindJob& asked, std::span<const Character> inner, OutputSet& outputs,
                                  const ProgressFunction& progress) {
  BindJob job = asked;
  const bool is_cloud = jobs::bindsCloud(job);
  SKINCELLS_CHECK(is_cloud ? jobs::checkCloudJob(job) : io::checkFormat(job.output));
  SKINCELLS_CHECK(declareFiles(filesOf(job), outputs));
  if (job.field.wanted() && job.bind.method != BindMethod::SkinCells)
    return Error{ErrorCode::InvalidOption, "only --method skin-cells makes a field", "--field"};
  SKINCELLS_CHECK(checkUnused(job));
  if (!job.start.empty() && job.wear.wanted())
    return Error{ErrorCode::InvalidOption, "garments and outfits do not start from a field", "--start"};
  if (job.same_shape && job.start.empty())
    return Error{ErrorCode::InvalidOption, "says something about --start; give that, too", "--same-shape"};
  SKINCELLS_TRY(gate, readGate(job.verdict.gate));
  std::optional<PointCloudFile> cloud;
  SKINCELLS_TRY(file, is_cloud ? jobs::readCloud(job, cloud) : jobs::readWearer(job));
  if (job.wear.body.empty()) SKINCELLS_CHECK(jobs::requireFit(file)); // a garment alone need not fill its skeleton
  if (!is_cloud) SKINCELLS_CHECK(file.checkOutput(job.output));
  SKINCELLS_CHECK(outputs.addInputs(file.info().resources));
  SKINCELLS_TRY(bound, bindFile(job, file, inner, outputs, progress));
  std::optional<FieldDocument> field;
  FieldOutput field_output;
  if (job.field.wanted()) {
    SKINCELLS_TRY(document, fieldOf(job, file, bound.result));
    field_output = {job.field, encodeField(document)};
    field = std::move(document);
  }
  BindOutcome outcome{job, std::move(file), std::move(bound.result), std::move(field), field_output.bytes.size(), {}};
  const Character& character = outcome.input.character();
  if (cloud) {
    outcome.cloud = jobs::weighCloud(std::move(*cloud), character, outcome.result);
    SKINCELLS_CHECK(outcome.cloud->file.write(outputs, job.output, outcome.cloud->weights,
                                              jobs::jointNames(character.skeleton), job.write));
    if (outcome.field) SKINCELLS_CHECK(outputs.stage(job.field.field, field_output.bytes, job.write.force));
  } else {
    SKINCELLS_CHECK(outcome.input.write(outputs, job.output, outcome.result.weights, job.write, field_output));
  }
  outcome.verdict = bound.outfit
                        ? bound.outfit->poses.judge(character, outcome.result.weights, bound.outfit->garments, gate)
                        : judgeSkin(character, outcome.result.weights, gate);
  if (bound.outfit) {
    outcome.garments = std::move(bound.outfit->garments);
    outcome.worn_poses = bound.outfit->poses.poses();
  }
  return outcome;
}

Result<BindOutcome> run(const BindJob& job, const ProgressFunction& progress) {
  return jobs::runAlone<BindOutcome>(job, progress);
}

} // namespace skincells

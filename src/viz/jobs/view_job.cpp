#include "skincells/viz/view_job.h"

#include <optional>

#include <nlohmann/json.hpp>

#include "base/assert.h"
#include "base/try.h"
#include "jobs/run_alone.h"
#include "jobs/skin_labels.h"
#include "jobs/worn.h"
#include "report/json_text.h"
#include "report/skin_summary.h"
#include "skincells/io/field_file.h"
#include "text/printable.h"
#include "viz/jobs/shown_bodies.h"
#include "viz/jobs/shown_files.h"

namespace skincells {
namespace {

// The field of each character: the one that the job names, else the one that belongs to its file.
Result<std::vector<std::optional<FieldDocument>>>
readFields(const ViewJob& job, const std::vector<CharacterFile>& files, OutputSet& outputs) {
  std::vector<std::optional<FieldDocument>> fields;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i >= job.fields.size()) {
      SKINCELLS_CHECK(outputs.addInput(files[i].fieldPath()));
      SKINCELLS_TRY(found, files[i].field());
      fields.push_back(std::move(found));
      continue;
    }
    SKINCELLS_TRY(named, readFieldFile(job.fields[i]));
    SKINCELLS_CHECK(checkFieldFits(files[i].character(), named));
    fields.emplace_back(std::move(named));
  }
  return fields;
}

Result<void> measureGarments(const WearOptions& wear, const Gate& gate, OutputSet& outputs, ViewCharacter& shown,
                             Warnings& warnings) {
  const Character& c = shown.file->character();
  if (c.weights.empty())
    return Error{ErrorCode::Mismatch, "has no weights, so that its garments cannot be measured; bind it first",
                 shown.file->info().path};
  const jobs::NamedSkin skin{shown.label, &c.weights};
  SKINCELLS_TRY(worn, jobs::measureWorn(wear, c, {&skin, 1}, outputs));
  shown.verdict = worn.poses.judge(c, c.weights, worn.garments, gate);
  shown.garments = std::move(worn.garments);
  shown.motions = worn.poses.motions();
  warnings.insert(warnings.end(), worn.warnings.begin(), worn.warnings.end());
  return {};
}

} // namespace

JobFiles filesOf(const ViewJob& job) {
  JobFiles files{job.inputs, {job.output}, job.force};
  files.inputs.insert(files.inputs.end(), job.fields.begin(), job.fields.end());
  files.inputs.push_back(job.read.rig);
  files.inputs.push_back(job.view.gate);
  for (std::string& path : job.wear.bodies()) files.inputs.push_back(std::move(path));
  return files;
}

Result<ViewOutcome> run(const ViewJob& job, OutputSet& outputs, const ProgressFunction&) {
  SKINCELLS_ASSERT(!job.inputs.empty());
  SKINCELLS_CHECK(declareFiles(filesOf(job), outputs));
  SKINCELLS_TRY(
      shown, jobs::readShown(job.inputs.front(), {job.inputs.begin() + 1, job.inputs.end()}, false, outputs, job.read));
  const std::vector<CharacterFile>& files = shown.files;
  if (job.fields.size() > files.size())
    return Error{ErrorCode::InvalidOption, "there are more fields than characters", "--from-field"};
  SKINCELLS_TRY(fields, readFields(job, files, outputs));
  SKINCELLS_TRY(labels, jobs::skinLabels(job.inputs, job.labels));
  SKINCELLS_TRY(gate, readGate(job.view.gate));
  std::vector<ViewCharacter> characters;
  for (std::size_t i = 0; i < files.size(); ++i) {
    characters.push_back({.file = &files[i], .label = labels[i], .field = fields[i] ? &*fields[i] : nullptr});
    if (job.wear.wanted()) SKINCELLS_CHECK(measureGarments(job.wear, gate, outputs, characters.back(), shown.warnings));
  }
  SKINCELLS_TRY(bodies, jobs::readShownBodies(job.wear));
  SKINCELLS_TRY(page, jobs::dressedPage(bodies, std::move(characters), job.view));
  if (!job.output.empty()) SKINCELLS_CHECK(outputs.stage(job.output, page, job.force));
  return ViewOutcome{job, std::move(page), std::move(shown.warnings)};
}

Result<ViewOutcome> run(const ViewJob& job, const ProgressFunction& progress) {
  return jobs::runAlone<ViewOutcome>(job, progress);
}

Document documentOf(const ViewOutcome& outcome, const DocumentOptions&) {
  report::Json j = report::heading("view");
  j["inputs"] = outcome.job.inputs;
  j["output"] = outcome.job.output;
  return {outcome.job.output.empty() ? "" : text::printable(outcome.job.output) + "\n", report::print(j),
          report::warningsText(outcome.warnings, "")};
}

} // namespace skincells

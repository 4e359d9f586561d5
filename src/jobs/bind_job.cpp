#include "skincells/jobs/bind_job.h"

#include <filesystem>

#include "base/try.h"
#include "io/gltf/pack.h"
#include "jobs/fitting_file.h"
#include "jobs/option_file.h"
#include "jobs/run_alone.h"
#include "skincells/apply.h"

namespace skincells {
namespace {

// The field as it is written: with parts, unit and up-axis of the file, and provenance.
Result<FieldDocument> fieldOf(const BindJob& job, const CharacterFile& file, BindResult& result) {
  if (!result.field)
    return Error{ErrorCode::InvalidOption, "this bind has no field to write; its warnings say why", "--field"};
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

} // namespace

JobFiles filesOf(const BindJob& job) {
  return {
      {job.input, job.read.rig, jobs::optionFile(job.bind.joints), jobs::optionFile(job.bind.rom), job.verdict.gate},
      {job.output, job.field.field},
      job.write.force};
}

Result<BindOutcome> run(const BindJob& job, OutputSet& outputs, const ProgressFunction& progress) {
  SKINCELLS_CHECK(io::checkFormat(job.output));
  SKINCELLS_CHECK(declareFiles(filesOf(job), outputs));
  if (job.field.wanted() && job.bind.method != BindMethod::SkinCells)
    return Error{ErrorCode::InvalidOption, "only --method skin-cells makes a field", "--field"};
  SKINCELLS_TRY(gate, readGate(job.verdict.gate));
  SKINCELLS_TRY(file, CharacterFile::read(job.input, job.read));
  SKINCELLS_CHECK(jobs::requireFit(file));
  SKINCELLS_CHECK(outputs.addInputs(file.info().resources));
  SKINCELLS_TRY(result, bind(file.character(), job.bind, progress));
  std::optional<FieldDocument> field;
  FieldOutput field_output;
  if (job.field.wanted()) {
    SKINCELLS_TRY(document, fieldOf(job, file, result));
    field_output = {job.field, encodeField(document)};
    field = std::move(document);
  }
  SKINCELLS_CHECK(file.write(outputs, job.output, result.weights, job.write, field_output));
  Verdict verdict = judgeSkin(file.character(), result.weights, gate);
  return BindOutcome{
      job, std::move(file), std::move(result), std::move(field), field_output.bytes.size(), std::move(verdict)};
}

Result<BindOutcome> run(const BindJob& job, const ProgressFunction& progress) {
  return jobs::runAlone<BindOutcome>(job, progress);
}

} // namespace skincells

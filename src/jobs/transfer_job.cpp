#include "skincells/jobs/transfer_job.h"

#include "base/try.h"
#include "io/gltf/edit/pack.h"
#include "jobs/run_alone.h"
#include "jobs/unused_options.h"

namespace skincells {
namespace {

Result<CharacterFile> readTarget(const TransferJob& job) {
  auto file = CharacterFile::read(job.target, job.read);
  if (file || !job.read.rig.empty() || file.error().code != ErrorCode::NoSkeleton) return file;
  ReadOptions with_rig = job.read;
  with_rig.rig = job.source;
  return CharacterFile::read(job.target, with_rig);
}

} // namespace

JobFiles filesOf(const TransferJob& job) {
  return {{job.source, job.target, job.read.rig}, {job.output, job.field.field}, job.write.force};
}

Result<TransferOutcome> run(const TransferJob& job, OutputSet& outputs, const ProgressFunction& progress) {
  SKINCELLS_CHECK(io::checkFormat(job.output));
  SKINCELLS_CHECK(declareFiles(filesOf(job), outputs));
  if (job.field.wanted() && job.transfer.via != TransferMethod::Field)
    return Error{ErrorCode::InvalidOption, "only --via field makes a field", "--field"};
  const std::string chosen = job.transfer.via == TransferMethod::Robust ? "--via robust" : "--via closest";
  if (job.transfer.via != TransferMethod::Field)
    SKINCELLS_CHECK(
        jobs::refuseUnused(transferOptionTable(), job.transfer, {"sites", "field-steps", "normals"}, chosen));
  if (job.transfer.via != TransferMethod::Robust)
    SKINCELLS_CHECK(jobs::refuseUnused(transferOptionTable(), job.transfer, {"max-distance", "max-angle"},
                                       job.transfer.via == TransferMethod::Field ? "--via field" : chosen));
  SKINCELLS_TRY(source, CharacterFile::read(job.source));
  SKINCELLS_TRY(target, readTarget(job));
  SKINCELLS_CHECK(outputs.addInputs(source.info().resources));
  SKINCELLS_CHECK(target.checkOutput(job.output));
  SKINCELLS_CHECK(outputs.addInputs(target.info().resources));
  SKINCELLS_TRY(result, transferSkin(source.character(), target.character(), job.transfer, progress));
  FieldOutput field;
  if (job.field.wanted()) field = {job.field, encodeField(*result.field)};
  SKINCELLS_CHECK(target.write(outputs, job.output, result.weights, job.write, field));
  return TransferOutcome{job, std::move(source), std::move(target), std::move(result), field.bytes.size()};
}

Result<TransferOutcome> run(const TransferJob& job, const ProgressFunction& progress) {
  return jobs::runAlone<TransferOutcome>(job, progress);
}

} // namespace skincells

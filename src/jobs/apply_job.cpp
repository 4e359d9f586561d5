#include "skincells/jobs/apply_job.h"

#include "base/try.h"
#include "io/gltf/edit/pack.h"
#include "jobs/cloud.h"
#include "jobs/run_alone.h"

namespace skincells {
namespace {

Result<ApplyOutcome> applyToCloud(const ApplyJob& job, FieldDocument field, OutputSet& outputs) {
  SKINCELLS_TRY(cloud, PointCloudFile::read(job.input));
  SKINCELLS_TRY(result, applyField(field, jobs::characterOfCloud(cloud, field), job.apply, cloud.normals()));
  for (Warning& warning : jobs::checkSpaceOfCloud(cloud, field)) result.warnings.push_back(std::move(warning));
  SKINCELLS_CHECK(cloud.write(outputs, job.output, result.weights, jobs::jointNames(field.skeleton), job.write));
  return ApplyOutcome{job, std::move(field), std::move(cloud), std::move(result)};
}

// A mesh in a PLY file can become a character; a cloud without faces cannot.
Result<void> checkFaces(const ApplyJob& job) {
  if (!isPlyPath(job.input)) return {};
  const auto cloud = PointCloudFile::read(job.input);
  if (cloud && cloud->mesh().triangles.empty())
    return Error{ErrorCode::InvalidOption, "a point cloud without faces stays a point cloud; the output must be .ply",
                 "--output"};
  return {}; // errors of the file are reported when it is imported
}

Result<ApplyOutcome> applyToMesh(const ApplyJob& job, FieldDocument field, OutputSet& outputs) {
  SKINCELLS_CHECK(checkFaces(job));
  SKINCELLS_TRY(file, CharacterFile::read(job.input, job.read));
  SKINCELLS_CHECK(outputs.addInputs(file.info().resources));
  SKINCELLS_TRY(result, applyField(field, file.character(), job.apply));
  SKINCELLS_CHECK(file.write(outputs, job.output, result.weights, job.write));
  return ApplyOutcome{job, std::move(field), std::move(file), std::move(result)};
}

} // namespace

JobFiles filesOf(const ApplyJob& job) {
  return {{job.field, job.input, job.read.rig}, {job.output}, job.write.force};
}

Result<ApplyOutcome> run(const ApplyJob& job, OutputSet& outputs, const ProgressFunction&) {
  const bool cloud = isPlyPath(job.input) && isPlyPath(job.output);
  if (!cloud) SKINCELLS_CHECK(io::checkFormat(job.output));
  SKINCELLS_CHECK(declareFiles(filesOf(job), outputs));
  SKINCELLS_TRY(field, readFieldFile(job.field));
  return cloud ? applyToCloud(job, std::move(field), outputs) : applyToMesh(job, std::move(field), outputs);
}

Result<ApplyOutcome> run(const ApplyJob& job, const ProgressFunction& progress) {
  return jobs::runAlone<ApplyOutcome>(job, progress);
}

} // namespace skincells

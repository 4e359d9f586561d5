#include "skincells/jobs/pose_job.h"

#include <optional>

#include "base/try.h"
#include "jobs/cloud.h"
#include "jobs/field_path.h"
#include "jobs/pose/chosen_pose.h"
#include "jobs/pose/posed_cloud.h"
#include "jobs/pose/posed_mesh.h"
#include "jobs/run_alone.h"
#include "skincells/apply.h"
#include "skincells/io/field_file.h"

namespace skincells {

const OptionTable<PoseOptions>& poseOptionTable() {
  static const OptionTable<PoseOptions> table{
      options::text("clip", &PoseOptions::clip, "a name", "the animation to take the pose from"),
      options::real("time", &PoseOptions::time, 0, 1e6, "time in the clip, in seconds; clamped to its length"),
      options::text("pose-file", &PoseOptions::poses, "a file", "instead of a clip: a pose file (docs/formats.md)"),
      options::integer("pose", &PoseOptions::pose, 0, 1000000,
                       "index of the pose in the pose file, counted from 0 through all its sets"),
  };
  return table;
}

namespace {

using namespace jobs;

void append(const Warnings& more, Warnings& to) {
  to.insert(to.end(), more.begin(), more.end());
}

// Skeleton and pose for a cloud: from a character file, or from the field alone.
struct PosedRig {
  Skeleton skeleton;
  ChosenPose pose;
};

Result<PosedRig> rigOfCloud(const PoseJob& job, const std::optional<FieldDocument>& field, OutputSet& outputs) {
  if (!job.rig.empty()) {
    SKINCELLS_TRY(rig, CharacterFile::read(job.rig));
    SKINCELLS_CHECK(outputs.addInputs(rig.info().resources));
    SKINCELLS_TRY(pose, choosePose(rig, job.pose));
    return PosedRig{rig.character().skeleton, std::move(pose)};
  }
  if (!field)
    return Error{ErrorCode::InvalidOption, "a point cloud has no skeleton; name a character file that has one",
                 "--rig"};
  SKINCELLS_TRY(pose, choosePose(field->skeleton, job.pose));
  return PosedRig{field->skeleton, std::move(pose)};
}

Result<std::optional<FieldDocument>> fieldOf(const PoseJob& job) {
  if (job.field.empty()) return std::optional<FieldDocument>{};
  SKINCELLS_TRY(field, readFieldFile(job.field));
  return std::optional(std::move(field));
}

// A wrong format is no reason to ask for --force, so this comes before the check of the output.
Result<void> checkFormat(const PoseJob& job) {
  const std::string& posed = isFieldPath(job.input) ? job.rig : job.input;
  if (isPlyPath(posed) && !isPlyPath(job.output))
    return Error{ErrorCode::InvalidOption, "a posed point cloud must be written as .ply", job.output};
  return {};
}

Result<PoseOutcome> poseCloud(const PoseJob& job, OutputSet& outputs) {
  SKINCELLS_TRY(field, fieldOf(job));
  SKINCELLS_TRY(rig, rigOfCloud(job, field, outputs));
  SKINCELLS_TRY(cloud, PointCloudFile::read(job.input));
  PoseOutcome result{job,
                     job.input,
                     cloud.info().splats ? "splats" : "points",
                     rig.pose.label,
                     cloud.mesh().vertexCount(),
                     cloud.warnings()};
  append(rig.pose.warnings, result.warnings);
  if (!field) {
    SKINCELLS_CHECK(stagePosed(cloud, rig.skeleton, rig.pose, outputs, job.output, {.force = job.force}));
    return result;
  }
  append(checkSpaceOfCloud(cloud, *field), result.warnings);
  SKINCELLS_TRY(applied, applyField(*field, characterOfCloud(cloud, *field), {}, cloud.normals()));
  append(applied.warnings, result.warnings);
  SKINCELLS_CHECK(stagePosed(cloud, applied.weights, jointNames(field->skeleton), rig.skeleton, rig.pose, outputs,
                             job.output, {.force = job.force}));
  return result;
}

Result<PoseOutcome> poseMesh(const PoseJob& job, OutputSet& outputs) {
  if (!job.rig.empty())
    return Error{ErrorCode::InvalidOption, "is for point clouds and fields; a character has its own skeleton", "--rig"};
  SKINCELLS_TRY(field, fieldOf(job));
  SKINCELLS_TRY(file, CharacterFile::read(job.input));
  SKINCELLS_CHECK(outputs.addInputs(file.info().resources));
  SKINCELLS_TRY(pose, choosePose(file, job.pose));
  PoseOutcome result{job, job.input, "mesh", pose.label, file.character().mesh.vertexCount(), file.warnings()};
  append(pose.warnings, result.warnings);
  if (!field) {
    SKINCELLS_CHECK(stagePosed(file, pose, outputs, job.output, {.force = job.force}));
    return result;
  }
  SKINCELLS_TRY(applied, applyField(*field, file.character()));
  append(applied.warnings, result.warnings);
  SKINCELLS_CHECK(stagePosed(file, applied.weights, pose, outputs, job.output, {.force = job.force}));
  return result;
}

// A field has no mesh, so the mesh of the rig is posed.
Result<PoseOutcome> poseWithField(const PoseJob& job, OutputSet& outputs) {
  if (!job.field.empty())
    return Error{ErrorCode::InvalidOption, "the input is already a field; give only one", "--from-field"};
  if (job.rig.empty())
    return Error{
        ErrorCode::InvalidOption,
        "a field has no mesh; name the character to pose with it, or use a point cloud as the input and name the "
        "field with --from-field",
        "--rig"};
  PoseJob of_rig = job;
  of_rig.input = job.rig;
  of_rig.field = job.input;
  of_rig.rig.clear();
  SKINCELLS_TRY(outcome, isPlyPath(of_rig.input) ? poseCloud(of_rig, outputs) : poseMesh(of_rig, outputs));
  outcome.job = job;
  return std::move(outcome);
}

} // namespace

JobFiles filesOf(const PoseJob& job) {
  return {{job.input, job.rig, job.field, job.pose.poses}, {job.output}, job.force};
}

Result<PoseOutcome> run(const PoseJob& job, OutputSet& outputs, const ProgressFunction&) {
  SKINCELLS_CHECK(checkFormat(job));
  SKINCELLS_CHECK(declareFiles(filesOf(job), outputs));
  if (isFieldPath(job.input)) return poseWithField(job, outputs);
  return isPlyPath(job.input) ? poseCloud(job, outputs) : poseMesh(job, outputs);
}

Result<PoseOutcome> run(const PoseJob& job, const ProgressFunction& progress) {
  return jobs::runAlone<PoseOutcome>(job, progress);
}

} // namespace skincells

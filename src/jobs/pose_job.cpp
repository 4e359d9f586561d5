#include <algorithm>
#include <optional>

#include "base/try.h"
#include "skincells/apply.h"
#include "skincells/io/field_file.h"
#include "skincells/io/pose_file.h"
#include "skincells/jobs/cloud.h"
#include "skincells/jobs/pose_job.h"

namespace skincells {
namespace {

constexpr std::size_t kMostListed = 12;

std::string listed(const std::vector<ClipInfo>& clips) {
  std::string names;
  for (std::size_t i = 0; i < std::min(clips.size(), kMostListed); ++i)
    names += (names.empty() ? "'" : ", '") + clips[i].name + "'";
  if (clips.size() > kMostListed)
    names += " and " + std::to_string(clips.size() - kMostListed) + " more ('skincells inspect' lists them)";
  return names.empty() ? "none" : names;
}

Result<ChosenPose> poseOfClip(const CharacterFile& rig, const PoseOptions& options) {
  const auto& clips = rig.clips();
  const auto clip = std::ranges::find(clips, options.clip, &ClipInfo::name);
  if (clip == clips.end())
    return Error{ErrorCode::InvalidOption,
                 "there is no clip '" + options.clip + "' in " + rig.info().path + "; it has " + listed(clips),
                 "--clip"};
  ChosenPose out;
  const double time = std::clamp(options.time, 0.0, clip->duration);
  out.pose = rig.samplePose(static_cast<std::size_t>(clip - clips.begin()), time);
  out.label = clip->name + " at " + options::printReal(time) + " s";
  out.scale = rig.info().meters_per_unit;
  return out;
}

Result<ChosenPose> poseOfFile(const Skeleton& skeleton, const PoseOptions& options) {
  SKINCELLS_TRY(file, readPoseFile(options.poses, skeleton));
  ChosenPose out;
  out.warnings = file.warnings;
  auto left = static_cast<std::size_t>(options.pose);
  std::size_t count = 0;
  for (PoseSet& set : file.sets) {
    count += set.poses.size();
    if (left < set.poses.size()) {
      out.label = set.label + " " + std::to_string(left);
      out.pose = std::move(set.poses[left]);
      return out;
    }
    left -= set.poses.size();
  }
  return Error{ErrorCode::InvalidOption, "the pose file has only " + std::to_string(count) + " poses, counted from 0",
               "--pose"};
}

Result<void> checkOptions(const PoseOptions& options) {
  SKINCELLS_CHECK(options::validate(poseOptionTable(), options));
  if (options.clip.empty() == options.poses.empty())
    return Error{ErrorCode::InvalidOption,
                 "say which pose: either --clip NAME with --time, or --poses FILE with --pose", "--clip"};
  return {};
}

} // namespace

const OptionTable<PoseOptions>& poseOptionTable() {
  static const OptionTable<PoseOptions> table{
      options::text("clip", &PoseOptions::clip, "a name", "the animation to take the pose from"),
      options::real("time", &PoseOptions::time, 0, 1e6, "where in the clip, in seconds; clamped to its length"),
      options::text("poses", &PoseOptions::poses, "a file", "instead of a clip: a pose file (docs/formats.md)"),
      options::integer("pose", &PoseOptions::pose, 0, 1000000,
                       "which pose of the pose file, counted from 0 through all its sets"),
  };
  return table;
}

Result<ChosenPose> choosePose(const CharacterFile& rig, const PoseOptions& options) {
  SKINCELLS_CHECK(checkOptions(options));
  return options.poses.empty() ? poseOfClip(rig, options) : poseOfFile(rig.character().skeleton, options);
}

Result<ChosenPose> choosePose(const Skeleton& skeleton, const PoseOptions& options) {
  SKINCELLS_CHECK(checkOptions(options));
  if (options.poses.empty()) return Error{ErrorCode::InvalidOption, "clips are in a character file; name it", "--rig"};
  return poseOfFile(skeleton, options);
}

namespace {

void append(const Warnings& more, Warnings& to) {
  to.insert(to.end(), more.begin(), more.end());
}

bool isFieldPath(const std::string& path) {
  return path.ends_with(".skc");
}

// What a cloud gets its skeleton and its pose from: a character file, or the field alone.
struct PosedRig {
  Skeleton skeleton;
  ChosenPose pose;
};

Result<PosedRig> rigOfCloud(const PoseJob& job, const std::optional<FieldDocument>& field) {
  if (!job.rig.empty()) {
    SKINCELLS_TRY(rig, CharacterFile::read(job.rig));
    SKINCELLS_TRY(pose, choosePose(rig, job.options));
    return PosedRig{rig.character().skeleton, std::move(pose)};
  }
  if (!field)
    return Error{ErrorCode::InvalidOption, "a cloud has no skeleton; name the character file that has it", "--rig"};
  SKINCELLS_TRY(pose, choosePose(field->skeleton, job.options));
  return PosedRig{field->skeleton, std::move(pose)};
}

Result<std::optional<FieldDocument>> fieldOf(const PoseJob& job) {
  if (job.field.empty()) return std::optional<FieldDocument>{};
  SKINCELLS_TRY(field, readFieldFile(job.field));
  return std::optional(std::move(field));
}

Result<PoseResult> poseCloud(const PoseJob& job) {
  SKINCELLS_TRY(field, fieldOf(job));
  SKINCELLS_TRY(rig, rigOfCloud(job, field));
  if (!isPlyPath(job.output))
    return Error{ErrorCode::InvalidOption, "posed clouds are written as .ply; name the output accordingly", job.output};
  SKINCELLS_TRY(cloud, PointCloudFile::read(job.input));
  PoseResult result{job.input,
                    job.output,
                    cloud.info().splats ? "splats" : "points",
                    rig.pose.label,
                    cloud.mesh().vertexCount(),
                    cloud.warnings()};
  append(rig.pose.warnings, result.warnings);
  if (!field) {
    SKINCELLS_CHECK(writePosed(cloud, rig.skeleton, rig.pose, job.output, {.force = job.force}));
    return result;
  }
  append(checkSpaceOfCloud(cloud, *field), result.warnings);
  SKINCELLS_TRY(applied, applyField(*field, characterOfCloud(cloud, *field)));
  append(applied.warnings, result.warnings);
  SKINCELLS_CHECK(writePosed(cloud, applied.weights, jointNames(field->skeleton), rig.skeleton, rig.pose, job.output,
                             {.force = job.force}));
  return result;
}

Result<PoseResult> poseMesh(const PoseJob& job) {
  if (!job.rig.empty())
    return Error{ErrorCode::InvalidOption, "is for clouds and fields; a character has its own skeleton", "--rig"};
  SKINCELLS_TRY(field, fieldOf(job));
  SKINCELLS_TRY(file, CharacterFile::read(job.input));
  SKINCELLS_TRY(pose, choosePose(file, job.options));
  PoseResult result{job.input, job.output, "mesh", pose.label, file.character().mesh.vertexCount(), file.warnings()};
  append(pose.warnings, result.warnings);
  if (!field) {
    SKINCELLS_CHECK(writePosed(file, pose, job.output, {.force = job.force}));
    return result;
  }
  SKINCELLS_TRY(applied, applyField(*field, file.character()));
  append(applied.warnings, result.warnings);
  SKINCELLS_CHECK(writePosed(file, applied.weights, pose, job.output, {.force = job.force}));
  return result;
}

// A field has no mesh of its own: it poses that of the rig.
Result<PoseResult> poseWithField(const PoseJob& job) {
  if (!job.field.empty())
    return Error{ErrorCode::InvalidOption, "the input is a field already; one of them is enough", "--field"};
  if (job.rig.empty())
    return Error{ErrorCode::InvalidOption,
                 "a field has no mesh; name the character to pose with it, or give a cloud as the input and the field "
                 "with --field",
                 "--rig"};
  PoseJob of_rig = job;
  of_rig.input = job.rig;
  of_rig.field = job.input;
  of_rig.rig.clear();
  return poseFile(of_rig);
}

} // namespace

Result<PoseResult> poseFile(const PoseJob& job) {
  if (isFieldPath(job.input)) return poseWithField(job);
  return isPlyPath(job.input) ? poseCloud(job) : poseMesh(job);
}

} // namespace skincells

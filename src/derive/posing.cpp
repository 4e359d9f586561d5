#include <algorithm>

#include "base/try.h"
#include "skincells/posing.h"

namespace skincells {
namespace {

Result<ChosenPose> poseOfClip(const CharacterFile& rig, const PoseOptions& options) {
  const auto& clips = rig.clips();
  const auto clip = std::ranges::find(clips, options.clip, &ClipInfo::name);
  if (clip == clips.end()) {
    std::string names;
    for (const ClipInfo& c : clips) names += (names.empty() ? "'" : ", '") + c.name + "'";
    return Error{ErrorCode::InvalidOption,
                 "there is no clip '" + options.clip + "' in " + rig.info().path +
                     (names.empty() ? "; it has none" : "; it has " + names),
                 "--clip"};
  }
  ChosenPose out;
  const double time = std::clamp(options.time, 0.0, clip->duration);
  out.pose = rig.samplePose(static_cast<std::size_t>(clip - clips.begin()), time);
  out.label = clip->name + " at " + options::printReal(time) + " s";
  out.scale = rig.info().meters_per_unit;
  return out;
}

Result<ChosenPose> poseOfFile(const CharacterFile& rig, const PoseOptions& options) {
  SKINCELLS_TRY(file, readPoseFile(options.poses, rig.character().skeleton));
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
  SKINCELLS_CHECK(options::validate(poseOptionTable(), options));
  if (options.clip.empty() == options.poses.empty())
    return Error{ErrorCode::InvalidOption,
                 "say which pose: either --clip NAME with --time, or --poses FILE with --pose", "--clip"};
  return options.poses.empty() ? poseOfClip(rig, options) : poseOfFile(rig, options);
}

namespace {

Result<PoseResult> poseCloud(const PoseJob& job) {
  if (job.rig.empty())
    return Error{ErrorCode::InvalidOption, "a cloud has no skeleton; name the character file that has it", "--rig"};
  SKINCELLS_TRY(cloud, PointCloudFile::read(job.input));
  SKINCELLS_TRY(rig, CharacterFile::read(job.rig));
  SKINCELLS_TRY(pose, choosePose(rig, job.options));
  if (!isPlyPath(job.output))
    return Error{ErrorCode::InvalidOption, "posed clouds are written as .ply; name the output accordingly", job.output};
  SKINCELLS_CHECK(writePosed(cloud, rig.character().skeleton, pose, job.output, {.force = job.force}));
  PoseResult result{
      job.input,       job.output, cloud.info().splats ? "splats" : "points", pose.label, cloud.mesh().vertexCount(),
      cloud.warnings()};
  result.warnings.insert(result.warnings.end(), pose.warnings.begin(), pose.warnings.end());
  return result;
}

Result<PoseResult> poseMesh(const PoseJob& job) {
  if (!job.rig.empty())
    return Error{ErrorCode::InvalidOption, "is for clouds; a character has its own skeleton", "--rig"};
  SKINCELLS_TRY(file, CharacterFile::read(job.input));
  SKINCELLS_TRY(pose, choosePose(file, job.options));
  SKINCELLS_CHECK(writePosed(file, pose, job.output, {.force = job.force}));
  PoseResult result{job.input, job.output, "mesh", pose.label, file.character().mesh.vertexCount(), file.warnings()};
  result.warnings.insert(result.warnings.end(), pose.warnings.begin(), pose.warnings.end());
  return result;
}

} // namespace

Result<PoseResult> poseFile(const PoseJob& job) {
  return isPlyPath(job.input) ? poseCloud(job) : poseMesh(job);
}

} // namespace skincells

#include "jobs/pose/chosen_pose.h"

#include <algorithm>

#include "base/try.h"
#include "skincells/io/pose_file.h"

namespace skincells::jobs {
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
  auto index = static_cast<std::size_t>(options.pose); // in the sets that are left
  std::size_t count = 0;
  for (PoseSet& set : file.sets) {
    count += set.poses.size();
    if (index < set.poses.size()) {
      out.label = set.label + " " + std::to_string(index);
      out.pose = std::move(set.poses[index]);
      return out;
    }
    index -= set.poses.size();
  }
  return Error{ErrorCode::InvalidOption, "the pose file has only " + std::to_string(count) + " poses, counted from 0",
               "--pose"};
}

Result<void> checkOptions(const PoseOptions& options) {
  SKINCELLS_CHECK(options::validate(poseOptionTable(), options));
  if (options.clip.empty() == options.poses.empty())
    return Error{ErrorCode::InvalidOption,
                 "name one pose: either --clip NAME with --time, or --pose-file FILE with --pose", "--clip"};
  return {};
}

} // namespace

Result<ChosenPose> choosePose(const CharacterFile& rig, const PoseOptions& options) {
  SKINCELLS_CHECK(checkOptions(options));
  return options.poses.empty() ? poseOfClip(rig, options) : poseOfFile(rig.character().skeleton, options);
}

Result<ChosenPose> choosePose(const Skeleton& skeleton, const PoseOptions& options) {
  SKINCELLS_CHECK(checkOptions(options));
  if (options.poses.empty())
    return Error{ErrorCode::InvalidOption, "clips come from a character file; name it", "--rig"};
  return poseOfFile(skeleton, options);
}

} // namespace skincells::jobs

#include "bind/pose_source.h"

#include <memory>

#include "base/random.h"
#include "base/try.h"
#include "bind/range_file.h"
#include "rig/clip_ranges.h"
#include "rig/human_ranges.h"
#include "rig/pose_sampler.h"

namespace skincells::binding {
namespace {

void takeHumanRanges(const Skeleton& skeleton, std::vector<JointMotion>& motions) {
  const std::vector<rig::HumanBone> bones = rig::humanBones(skeleton);
  const std::vector<JointRange> ranges = rig::humanRanges(skeleton, bones);
  for (std::size_t j = 0; j < motions.size(); ++j)
    if (bones[j].part != rig::HumanPart::None)
      motions[j] = {static_cast<int>(j), "humanoid", bones[j].text(), ranges[j]};
}

void takeClipRanges(const Character& character, std::vector<JointMotion>& motions) {
  const auto ranges = rig::rangesOfPoses(character.skeleton, character.clip_poses);
  for (std::size_t j = 0; j < motions.size(); ++j)
    if (ranges[j]) motions[j] = {static_cast<int>(j), "clip", "", *ranges[j]};
}

Result<void> checkClipPoses(const Character& character) {
  for (const Pose& pose : character.clip_poses)
    if (pose.size() != character.skeleton.joints.size())
      return Error{ErrorCode::Mismatch, "the poses of its clips are for another skeleton; clear or replace them",
                   character.name};
  return {};
}

// Poses of the field's joints.
class Poses {
public:
  Poses(const Character& character, std::vector<JointRange> ranges, std::span<const int> deforming, bool from_clips,
        std::uint64_t seed)
      : clip_poses_(character.clip_poses), random_(character.skeleton, std::move(ranges), seed),
        deforming_(deforming.begin(), deforming.end()), from_clips_(from_clips), seed_(seed) {}

  std::vector<Pose> operator()(int step, int count) const {
    std::vector<Pose> poses;
    for (int p = 0; p < count; ++p) {
      const std::uint64_t index = static_cast<std::uint64_t>(step) * 64 + static_cast<std::uint64_t>(p);
      poses.push_back(ofField(from_clips_ ? clipPose(index) : random_.pose(index)));
    }
    return poses;
  }

private:
  const Pose& clipPose(std::uint64_t index) const {
    return clip_poses_[Random(seed_, index).below(static_cast<std::uint32_t>(clip_poses_.size()))];
  }
  Pose ofField(const Pose& all) const {
    Pose pose;
    for (int j : deforming_) pose.push_back(all[static_cast<std::size_t>(j)]);
    return pose;
  }

  std::span<const Pose> clip_poses_;
  rig::PoseSampler random_;
  std::vector<int> deforming_;
  bool from_clips_;
  std::uint64_t seed_;
};

} // namespace

bool isNamedSource(const std::string& rom) {
  return rom == "auto" || rom == "clips" || rom == "humanoid" || rom == "generic";
}

Result<std::vector<JointMotion>> jointMotions(const Character& character, const std::string& rom) {
  std::vector<JointMotion> motions(character.skeleton.joints.size());
  for (std::size_t j = 0; j < motions.size(); ++j) motions[j].joint = static_cast<int>(j);
  if (rom == "humanoid" || rom == "clips") takeHumanRanges(character.skeleton, motions);
  if (rom == "clips") takeClipRanges(character, motions);
  if (!isNamedSource(rom)) SKINCELLS_CHECK(applyRangeFile(character.skeleton, rom, motions));
  return motions;
}

Result<PoseSource> choosePoses(const Character& character, std::span<const int> deforming, const BindOptions& options) {
  SKINCELLS_CHECK(checkClipPoses(character));
  if (options.poses == TrainingPoses::Clips && character.clip_poses.empty())
    return Error{ErrorCode::InvalidOption, "the character has no clips to take poses from; use --poses ranges",
                 "--poses"};
  PoseSource source;
  SKINCELLS_TRY(motions, jointMotions(character, options.rom));
  source.motions = std::move(motions);
  const bool from_clips = options.poses == TrainingPoses::Clips;
  source.poses = from_clips ? "clips" : "ranges";
  std::vector<JointRange> ranges;
  for (const JointMotion& m : source.motions) ranges.push_back(m.range);
  source.sampler = Poses(character, std::move(ranges), deforming, from_clips, options.seed);
  return source;
}

} // namespace skincells::binding

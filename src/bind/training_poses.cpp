#include "bind/training_poses.h"

#include "base/parallel.h"
#include "base/random.h"
#include "base/try.h"
#include "rig/motion/joint_motions.h"
#include "rig/motion/pose_sampler.h"

namespace skincells::binding {
namespace {

constexpr int kBeyondTraining = 1 << 20; // a step number that no run reaches

Result<void> checkClipPoses(const Character& character) {
  for (const Pose& pose : character.clip_poses)
    if (pose.size() != character.skeleton.joints.size())
      return Error{ErrorCode::Mismatch, "its clip poses are for another skeleton; clear or replace them",
                   character.name};
  return {};
}

// Poses of the field's joints.
class Batches {
public:
  Batches(const Character& character, std::vector<JointRange> ranges, std::span<const int> deforming, bool from_clips,
          std::uint64_t seed, const garment::ChainMotion* own)
      : clip_poses_(character.clip_poses), random_(character.skeleton, std::move(ranges), seed),
        deforming_(deforming.begin(), deforming.end()), from_clips_(from_clips), seed_(seed), own_(own) {}

  std::vector<Pose> operator()(int step, int count) const {
    std::vector<Pose> poses(static_cast<std::size_t>(count));
    const std::size_t chunk = own_ != nullptr ? 1 : poses.size(); // random poses alone take next to no time
    parallelChunks(poses.size(), std::max<std::size_t>(chunk, 1), [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t p = begin; p < end; ++p) {
        const std::uint64_t index = static_cast<std::uint64_t>(step) * 64 + p;
        Pose pose = from_clips_ ? clipPose(index) : random_.pose(index);
        if (own_ != nullptr && !from_clips_) own_->push(pose);
        poses[p] = ofField(pose);
      }
    });
    return poses;
  }

private:
  const Pose& clipPose(std::uint64_t index) const {
    return clip_poses_[Random(seed_, index).below(static_cast<std::uint32_t>(clip_poses_.size()))];
  }
  Pose ofField(const Pose& all) const {
    Pose pose;
    for (int j : deforming_) pose.push_back(all[j]);
    return pose;
  }

  std::span<const Pose> clip_poses_;
  rig::PoseSampler random_;
  std::vector<int> deforming_;
  bool from_clips_;
  std::uint64_t seed_;
  const garment::ChainMotion* own_; // nullptr: no joint moves by itself
};

} // namespace

Result<PoseSource> choosePoses(const Character& character, std::span<const int> deforming, const BindOptions& options,
                               const OwnMotion& own) {
  SKINCELLS_CHECK(checkClipPoses(character));
  const bool from_clips = options.poses == TrainingPoses::Clips;
  if (from_clips && character.clip_poses.empty())
    return Error{ErrorCode::InvalidOption, "the character has no clips to take poses from; use --training-poses ranges",
                 "--training-poses"};
  PoseSource source;
  SKINCELLS_TRY(motions, rig::jointMotions(character.skeleton, character.clip_poses, options.rom));
  source.motions = std::move(motions);
  garment::calmChains(own.joints, source.motions);
  source.poses = from_clips ? "clips" : "ranges";
  std::vector<JointRange> ranges;
  for (const JointMotion& m : source.motions) ranges.push_back(m.range);
  source.batches = Batches(character, std::move(ranges), deforming, from_clips, options.seed, own.motion);
  return source;
}

std::vector<Pose> heldOutPoses(const fit::PoseBatches& batches, int count) {
  return batches(kBeyondTraining, count);
}

} // namespace skincells::binding

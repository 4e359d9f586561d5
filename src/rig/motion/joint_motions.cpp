#include "rig/motion/joint_motions.h"

#include <algorithm>

#include "base/try.h"
#include "rig/motion/clip_ranges.h"
#include "rig/motion/followers.h"
#include "rig/motion/human_ranges.h"
#include "rig/motion/pose_sampler.h"
#include "rig/motion/range_file.h"

namespace skincells::rig {
namespace {

void takeHumanRanges(const Skeleton& skeleton, std::vector<JointMotion>& motions) {
  const std::vector<HumanBone> bones = humanBones(skeleton);
  const std::vector<JointRange> ranges = humanRanges(skeleton, bones);
  for (std::size_t j = 0; j < motions.size(); ++j)
    if (bones[j].part != HumanPart::None) motions[j] = {static_cast<int>(j), "humanoid", bones[j].text(), ranges[j]};
}

enum class ClipRule { EveryJoint, JointsWithoutBodyPart };

void takeClipRanges(const Skeleton& skeleton, std::span<const Pose> clip_poses, ClipRule rule,
                    std::vector<JointMotion>& motions) {
  const auto ranges = rangesOfPoses(skeleton, clip_poses);
  for (std::size_t j = 0; j < motions.size(); ++j)
    if (ranges[j] && (rule == ClipRule::EveryJoint || motions[j].source == "generic"))
      motions[j] = {static_cast<int>(j), "clip", "", *ranges[j]};
}

} // namespace

bool isNamedSource(const std::string& rom) {
  return rom == "auto" || rom == "clips" || rom == "humanoid" || rom == "generic";
}

Result<std::vector<JointMotion>> jointMotions(const Skeleton& skeleton, std::span<const Pose> clip_poses,
                                              const std::string& rom) {
  std::vector<JointMotion> motions(skeleton.joints.size());
  for (std::size_t j = 0; j < motions.size(); ++j) motions[j].joint = static_cast<int>(j);
  if (!isNamedSource(rom)) {
    SKINCELLS_CHECK(applyRangeFile(skeleton, rom, motions));
    return motions;
  }
  if (rom != "generic") takeHumanRanges(skeleton, motions);
  if (rom == "clips") takeClipRanges(skeleton, clip_poses, ClipRule::EveryJoint, motions);
  if (rom == "auto") takeClipRanges(skeleton, clip_poses, ClipRule::JointsWithoutBodyPart, motions);
  return motions;
}

std::vector<Pose> posesWithin(const Skeleton& skeleton, const std::vector<JointMotion>& motions, int count,
                              std::uint64_t seed) {
  std::vector<JointRange> ranges;
  for (const JointMotion& m : motions) ranges.push_back(m.range);
  const Skeleton attached = withFollowers(skeleton);
  const PoseSampler sampler(attached, std::move(ranges), seed);
  std::vector<Pose> poses;
  for (int p = 0; p < count; ++p) poses.push_back(sampler.pose(static_cast<std::uint64_t>(p)));
  return poses;
}

std::string describe(const std::vector<JointMotion>& motions) {
  static constexpr std::pair<const char*, const char*> kSources[] = {{"rom-file", "by the range file"},
                                                                     {"humanoid", "by human anatomy"},
                                                                     {"clip", "as the clips turn them"},
                                                                     {"garment", "as the body pushes them"},
                                                                     {"generic", "by the generic cone"}};
  std::string text;
  for (const auto& [source, words] : kSources) {
    const auto count = std::ranges::count(motions, source, &JointMotion::source);
    if (count == 0) continue;
    text += (text.empty() ? std::to_string(count) + (count == 1 ? " joint " : " joints ")
                          : ", " + std::to_string(count) + " ") +
            words;
  }
  return text;
}

} // namespace skincells::rig

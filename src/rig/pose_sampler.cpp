#include "rig/pose_sampler.h"

#include "base/assert.h"
#include "base/random.h"

namespace skincells::rig {
namespace {

constexpr double kRadians = 3.14159265358979323846 / 180;

// Towards the children, or onwards from the parent.
Vec3d boneDirection(const Skeleton& skeleton, const std::vector<std::vector<int>>& children, int joint) {
  const Vec3d p = skeleton.bindPosition(joint);
  Vec3d sum;
  for (int child : children[static_cast<std::size_t>(joint)]) sum += skeleton.bindPosition(child) - p;
  const int parent = skeleton.joints[static_cast<std::size_t>(joint)].parent;
  if (length(sum) == 0 && parent != kNoParent) sum = p - skeleton.bindPosition(parent);
  return normalized(sum);
}

} // namespace

PoseSampler::PoseSampler(const Skeleton& skeleton, std::vector<JointRange> ranges, std::uint64_t seed)
    : skeleton_(skeleton), ranges_(std::move(ranges)), seed_(seed) {
  SKINCELLS_ASSERT(ranges_.size() == skeleton.joints.size());
  const auto children = childrenOf(skeleton);
  for (int j = 0; j < skeleton.jointCount(); ++j) bone_directions_.push_back(boneDirection(skeleton, children, j));
}

Pose PoseSampler::pose(std::uint64_t index) const {
  Random random(seed_, index);
  std::vector<Affine> turns(ranges_.size());
  for (std::size_t j = 0; j < turns.size(); ++j) {
    const Vec3d direction = random.direction(), bone = bone_directions_[j];
    const double swing = random.uniform(0, ranges_[j].swing), twist = random.uniform(-1, 1) * ranges_[j].twist;
    Vec3d axis = cross(bone, direction);
    if (length(axis) < 1e-6) axis = direction;
    turns[j] = Affine::rotation(axis, swing * kRadians);
    if (length(bone) > 0) turns[j] = turns[j] * Affine::rotation(bone, twist * kRadians);
  }
  return poseFromTurns(skeleton_, turns);
}

} // namespace skincells::rig

#include "rig/motion/pose_sampler.h"

#include <numbers>

#include "base/assert.h"
#include "base/random.h"
#include "rig/motion/swing_twist.h"

namespace skincells::rig {

PoseSampler::PoseSampler(const Skeleton& skeleton, std::vector<JointRange> ranges, std::uint64_t seed)
    : skeleton_(skeleton), ranges_(std::move(ranges)), bone_directions_(boneDirections(skeleton)), seed_(seed) {
  SKINCELLS_ASSERT(ranges_.size() == skeleton.joints.size());
}

Pose PoseSampler::pose(std::uint64_t index) const {
  constexpr double kRadians = std::numbers::pi / 180;
  constexpr double kShortestAxis = 1e-6;
  Random random(seed_, index);
  std::vector<Affine> turns(ranges_.size());
  for (std::size_t j = 0; j < turns.size(); ++j) {
    const JointRange& range = ranges_[j];
    const Vec3d direction = random.direction(), bone = bone_directions_[j];
    const double swing = random.uniform(range.swing.lo, range.swing.hi);
    const double twist = random.uniform(range.twist.lo, range.twist.hi);
    Vec3d axis = range.isHinge() ? range.axis : cross(bone, direction);
    if (length(axis) < kShortestAxis) axis = direction;
    turns[j] = Affine::rotation(axis, swing * kRadians);
    if (length(bone) > 0) turns[j] = turns[j] * Affine::rotation(bone, twist * kRadians);
  }
  return poseFromTurns(skeleton_, turns);
}

} // namespace skincells::rig

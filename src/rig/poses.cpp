#include "skincells/rig.h"

#include <numbers>

#include "base/assert.h"
#include "base/random.h"

namespace skincells {

Pose bindPose(const Skeleton& skeleton) {
  return Pose(skeleton.joints.size());
}

Pose poseFromTurns(const Skeleton& skeleton, const std::vector<Affine>& turns) {
  SKINCELLS_ASSERT(turns.size() == skeleton.joints.size());
  Pose pose(skeleton.joints.size());
  for (int j : parentFirstOrder(skeleton)) {
    const auto i = static_cast<std::size_t>(j);
    const Vec3d p = skeleton.bindPosition(j);
    const Affine about_joint = Affine::fromTranslation(p) * turns[i] * Affine::fromTranslation(-p);
    const int parent = skeleton.joints[i].parent;
    pose[i] = parent == kNoParent ? about_joint : pose[parent] * about_joint;
  }
  return pose;
}

std::vector<Pose> randomPoses(const Skeleton& skeleton, const RandomPoseOptions& options) {
  constexpr double kRadians = std::numbers::pi / 180;
  Random random(options.seed);
  std::vector<Pose> poses;
  std::vector<Affine> turns(skeleton.joints.size());
  for (int p = 0; p < options.count; ++p) {
    for (Affine& turn : turns) {
      const Vec3d axis = random.direction();
      turn = Affine::rotation(axis, random.uniform(0, options.max_angle) * kRadians);
    }
    poses.push_back(poseFromTurns(skeleton, turns));
  }
  return poses;
}

} // namespace skincells

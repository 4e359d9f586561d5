// Random poses within ranges of motion.
#pragma once

#include <cstdint>
#include <vector>

#include "skincells/rig.h"

namespace skincells::rig {

// Draws poses: each joint swings about its hinge or a random axis perpendicular to its bone, and twists about the bone,
// both uniformly within its range. Pose `index` depends only on the skeleton, the ranges and the seed.
class PoseSampler {
public:
  PoseSampler(const Skeleton& skeleton, std::vector<JointRange> ranges, std::uint64_t seed);

  Pose pose(std::uint64_t index) const;

private:
  const Skeleton& skeleton_;
  std::vector<JointRange> ranges_;
  std::vector<Vec3d> bone_directions_; // zero where a joint has no bone
  std::uint64_t seed_;
};

} // namespace skincells::rig

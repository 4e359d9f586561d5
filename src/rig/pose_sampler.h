// Random poses within ranges of motion.
#pragma once

#include <cstdint>
#include <vector>

#include "skincells/rig.h"

namespace skincells::rig {

// How far a joint turns. Swing bends its bone away from where it is, twist turns it about itself.
struct JointRange {
  double swing = 35;   // degrees, 0 .. 180
  double twist = 17.5; // degrees to either side, 0 .. 180
};

// Draws poses: each joint swings about a random axis across its bone and twists about it, both uniformly up to its
// range. Pose `index` depends on the skeleton, the ranges and the seed alone.
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

// The bones of a skeleton as line segments.
#pragma once

#include <span>
#include <vector>

#include "skincells/math.h"
#include "skincells/rig.h"

namespace skincells::rig {

// A stretch of a joint's bone in bind space; a == b where a joint has no extent.
struct BoneSegment {
  int joint = -1; // that owns it: the flesh around the segment follows this joint
  Vec3d a, b;
};

// One segment from each deforming joint to each of its children, and a point for a joint without children.
// Children count whether they deform or not: an end joint is still where its parent's bone ends, and a joint that was
// left out still shows which way its parent's bone runs.
// deforming: joint indices, each once; joints that are not listed own nothing.
// misplaced: joints whose bind position means nothing; no bone runs towards them.
std::vector<BoneSegment> boneSegments(const Skeleton& skeleton, std::span<const int> deforming,
                                      std::span<const int> misplaced = {});

// The joints that deform, and what is known about the others.
struct DeformRig {
  const Skeleton& skeleton;
  std::vector<int> deforming; // joint indices, ascending, at least one; only these get weights
  std::vector<int>
      misplaced; // placeholder joints: their bind position is not where the joint is, so no bone ends there
};
inline std::vector<BoneSegment> boneSegments(const DeformRig& rig) {
  return boneSegments(rig.skeleton, rig.deforming, rig.misplaced);
}

// Ties a vertex to a point of a bone: the two should keep their distance when the bone moves.
struct BoneSpring {
  std::uint32_t vertex = 0;
  int joint = -1; // moves the anchor
  Vec3d anchor;   // in bind space, inside the bone, not at an end
};

struct SegmentPoint {
  double squared_distance = 0;
  double parameter = 0; // closest point = a + parameter * (b - a), 0 .. 1; 0 for a segment without length
};
SegmentPoint closestOnSegment(const Vec3d& point, const Vec3d& a, const Vec3d& b);

} // namespace skincells::rig

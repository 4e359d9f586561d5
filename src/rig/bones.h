// The bones of a skeleton as line segments.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "skincells/math.h"
#include "skincells/rig.h"

namespace skincells::rig {

// A segment of a joint's bone in bind space; a == b if the joint has no extent.
struct BoneSegment {
  int joint = -1; // its owner: the surface around the segment follows this joint
  Vec3d a, b;
};

// One segment from each deforming joint to each of its children. A joint without children has one to its tip, or is a
// point if it has none. Children that do not deform count too: an end joint marks the end of its parent's bone, and a
// dropped joint still gives the direction of its parent's bone.
// deforming: joint indices, each once; joints that are not listed own no segment.
// misplaced: placeholder joints, whose bind position is unspecified; bones end where the node tree puts them.
std::vector<BoneSegment> boneSegments(const Skeleton& skeleton, std::span<const int> deforming,
                                      std::span<const int> misplaced = {});

// A skeleton with the joints that deform.
struct DeformRig {
  const Skeleton& skeleton;
  std::vector<int> deforming; // joint indices, ascending, at least one; only these get weights
  std::vector<int> misplaced; // placeholder joints, whose bind position is unspecified
};
inline std::vector<BoneSegment> boneSegments(const DeformRig& rig) {
  return boneSegments(rig.skeleton, rig.deforming, rig.misplaced);
}

// Ties a vertex to a point of a bone: their distance should not change when the bone moves.
struct BoneSpring {
  std::uint32_t vertex = 0;
  int joint = -1; // moves the anchor
  Vec3d anchor;   // in bind space, between the ends of the bone
};

struct SegmentPoint {
  double squared_distance = 0;
  double parameter = 0; // closest point = a + parameter * (b - a), 0 .. 1; 0 for a segment without length
};
// Inline: called for every vertex and many bones.
inline SegmentPoint closestOnSegment(const Vec3d& point, const Vec3d& a, const Vec3d& b) {
  const Vec3d along = b - a;
  const double squared_length = dot(along, along);
  SegmentPoint result;
  if (squared_length > 0) result.parameter = std::clamp(dot(point - a, along) / squared_length, 0.0, 1.0);
  // Exactly b, not a + 1 * (b - a): bones that meet in a joint must be at exactly the same distance.
  const Vec3d closest = result.parameter == 1 ? b : a + along * result.parameter;
  result.squared_distance = dot(point - closest, point - closest);
  return result;
}

} // namespace skincells::rig

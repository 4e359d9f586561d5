#include "rig/bones.h"

#include <algorithm>

namespace skincells::rig {

std::vector<BoneSegment> boneSegments(const Skeleton& skeleton, std::span<const int> deforming,
                                      std::span<const int> misplaced) {
  std::vector<bool> is_end(skeleton.joints.size(), true);
  for (int j : misplaced) is_end[static_cast<std::size_t>(j)] = false;
  const auto children = childrenOf(skeleton);
  std::vector<BoneSegment> segments;
  for (int j : deforming) {
    const Vec3d a = skeleton.bindPosition(j);
    const std::size_t before = segments.size();
    for (int child : children[static_cast<std::size_t>(j)])
      if (is_end[static_cast<std::size_t>(child)]) segments.push_back({j, a, skeleton.bindPosition(child)});
    if (segments.size() == before) segments.push_back({j, a, a});
  }
  return segments;
}

SegmentPoint closestOnSegment(const Vec3d& point, const Vec3d& a, const Vec3d& b) {
  const Vec3d along = b - a, to_point = point - a;
  const double squared_length = dot(along, along);
  SegmentPoint result;
  if (squared_length > 0) result.parameter = std::clamp(dot(to_point, along) / squared_length, 0.0, 1.0);
  const Vec3d offset = to_point - along * result.parameter;
  result.squared_distance = dot(offset, offset);
  return result;
}

} // namespace skincells::rig

#include "rig/bones.h"

#include <algorithm>

namespace skincells::rig {
namespace {

// The place of a placeholder: where the node tree puts it, relative to its parent.
Vec3d placeInTree(const Skeleton& skeleton, int joint) {
  const Joint& parent = skeleton.joints[skeleton.joints[joint].parent];
  return parent.bind.apply(parent.rest.inverse().apply(skeleton.joints[joint].rest.translation()));
}

} // namespace

std::vector<BoneSegment> boneSegments(const Skeleton& skeleton, std::span<const int> deforming,
                                      std::span<const int> misplaced) {
  std::vector<bool> is_placeholder(skeleton.joints.size());
  for (int j : misplaced) is_placeholder[j] = true;
  const auto children = childrenOf(skeleton);
  std::vector<BoneSegment> segments;
  for (int j : deforming) {
    const Vec3d a = skeleton.bindPosition(j);
    const std::size_t before = segments.size();
    const auto add = [&](const Vec3d& b) {
      if (isFinite(b)) segments.push_back({j, a, b});
    };
    for (int child : children[j])
      if (!is_placeholder[child])
        add(skeleton.bindPosition(child));
      else if (!is_placeholder[j])
        add(placeInTree(skeleton, child));
    const Joint& joint = skeleton.joints[j];
    if (segments.size() == before) add(joint.tip ? joint.bind.apply(*joint.tip) : a);
    if (segments.size() == before) segments.push_back({j, a, a});
  }
  return segments;
}

} // namespace skincells::rig

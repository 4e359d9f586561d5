#include "studies/bone_springs.h"

#include <optional>

#include "base/parallel.h"
#include "mesh/ray_query.h"
#include "rig/segment_tree.h"

namespace skincells::studies {
namespace {

struct Foot {
  rig::SegmentPoint at;
  Vec3d point;
};

Foot nearestFoot(const Vec3d& p, int joint, std::span<const rig::BoneSegment> bones) {
  Foot best{{.squared_distance = INFINITY}, p};
  for (const rig::BoneSegment& bone : bones) {
    if (bone.joint != joint) continue;
    const rig::SegmentPoint at = rig::closestOnSegment(p, bone.a, bone.b);
    if (at.squared_distance < best.at.squared_distance) best = {at, bone.a + (bone.b - bone.a) * at.parameter};
  }
  return best;
}

} // namespace

std::vector<rig::BoneSpring> springsToNearestBones(const Mesh& welded, std::span<const rig::BoneSegment> bones) {
  const mesh::RayQuery rays(welded);
  const rig::SegmentTree tree({bones.begin(), bones.end()});
  const std::size_t count = welded.positions.size();
  std::vector<std::optional<rig::BoneSpring>> found(count);
  parallelChunks(count, 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::vector<rig::JointDistance> nearest;
    for (std::size_t v = begin; v < end; ++v) {
      const Vec3d p = toDouble(welded.positions[v]);
      tree.nearestJoints(p, 1, nearest);
      const Foot foot = nearestFoot(p, nearest[0].joint, bones);
      const bool at_end = foot.at.parameter <= 0 || foot.at.parameter >= 1;
      const auto vertex = static_cast<std::uint32_t>(v);
      if (!at_end && !rays.anyHitFromVertex(vertex, foot.point))
        found[v] = rig::BoneSpring{vertex, nearest[0].joint, foot.point};
    }
  });
  std::vector<rig::BoneSpring> springs;
  for (const std::optional<rig::BoneSpring>& s : found)
    if (s) springs.push_back(*s);
  return springs;
}

} // namespace skincells::studies

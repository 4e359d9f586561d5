#include "guess/bone_rules.h"

#include <algorithm>

#include "base/parallel.h"
#include "guess/bone_stubs.h"

namespace skincells::guess {
namespace {

using Bones = std::vector<rig::BoneSegment>;

std::size_t index(int joint) {
  return static_cast<std::size_t>(joint);
}

bool hasLength(const rig::BoneSegment& s) {
  return !(s.a == s.b);
}

// Is a line mostly inside the mesh?
bool runsInside(const mesh::RayQuery& rays, const Vec3d& a, const Vec3d& b, double least_enclosure) {
  constexpr int kPoints = 5, kRays = 16;
  double sum = 0;
  for (int i = 1; i <= kPoints; ++i) sum += rays.enclosure(a + (b - a) * (double(i) / (kPoints + 1)), kRays);
  return sum >= least_enclosure * kPoints;
}

void rehangSideBones(const Skeleton& skeleton, const std::vector<bool>& deforms, Bones& bones) {
  constexpr double kBackwards = 0.9; // of the parent's bone: a side bone that ends before that runs backwards
  std::vector<int> owned(skeleton.joints.size());
  for (const rig::BoneSegment& s : bones) ++owned[index(s.joint)];
  for (rig::BoneSegment& s : bones) {
    const int parent = skeleton.joints[index(s.joint)].parent;
    if (owned[index(s.joint)] < 2 || parent == kNoParent || !deforms[index(parent)]) continue;
    const Vec3d from = skeleton.bindPosition(parent);
    const rig::SegmentPoint beside = rig::closestOnSegment(s.b, from, s.a);
    if (beside.parameter >= kBackwards || from == s.a) continue;
    --owned[index(s.joint)];
    s = {parent, from + (s.a - from) * beside.parameter, s.b};
  }
  std::ranges::stable_sort(bones, {}, &rig::BoneSegment::joint);
}

void dropPhantoms(const mesh::RayQuery& rays, Bones& bones) {
  constexpr double kEnclosure = 0.6;
  std::vector<char> keep(bones.size(), 1); // not bool: written by many threads
  parallelChunks(bones.size(), 4, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t s = begin; s < end; ++s) {
      const bool several = (s > 0 && bones[s - 1].joint == bones[s].joint) ||
                           (s + 1 < bones.size() && bones[s + 1].joint == bones[s].joint);
      if (several && hasLength(bones[s])) keep[s] = runsInside(rays, bones[s].a, bones[s].b, kEnclosure);
    }
  });
  Bones kept;
  for (std::size_t s = 0; s < bones.size();) {
    const rig::BoneSegment first = bones[s];
    const std::size_t before = kept.size();
    for (; s < bones.size() && bones[s].joint == first.joint; ++s)
      if (keep[s]) kept.push_back(bones[s]);
    if (kept.size() == before) kept.push_back({first.joint, first.a, first.a});
  }
  bones = std::move(kept);
}

// Gives each leaf a bone to the nearest start of another chain ahead of it that its flesh leads to.
void bridgeBrokenChains(const Skeleton& skeleton, const std::vector<bool>& deforms, const mesh::RayQuery& rays,
                        const std::vector<bool>& is_leaf, Bones& bones) {
  constexpr double kEnclosure = 0.9;
  constexpr double kLongest = 1.5; // of the bone before
  std::vector<int> starts;
  for (int j = 0; j < skeleton.jointCount(); ++j) {
    const int parent = skeleton.joints[index(j)].parent;
    if (deforms[index(j)] && (parent == kNoParent || !deforms[index(parent)])) starts.push_back(j);
  }
  for (rig::BoneSegment& s : bones) {
    const int parent = skeleton.joints[index(s.joint)].parent;
    if (!is_leaf[index(s.joint)] || parent == kNoParent) continue;
    const Vec3d before = s.a - skeleton.bindPosition(parent);
    double nearest = kLongest * length(before);
    for (int start : starts) {
      const Vec3d to = skeleton.bindPosition(start);
      const double distance = length(to - s.a);
      if (start == s.joint || distance == 0 || distance >= nearest || dot(to - s.a, before) <= 0) continue;
      if (!runsInside(rays, s.a, to, kEnclosure)) continue;
      s.b = to;
      nearest = distance;
    }
  }
}

} // namespace

std::vector<rig::BoneSegment> fleshBones(const rig::DeformRig& rig, const Mesh& mesh, const mesh::RayQuery& rays) {
  const Skeleton& skeleton = rig.skeleton;
  Bones bones = rig::boneSegments(rig);
  std::ranges::stable_sort(bones, {}, &rig::BoneSegment::joint);
  std::vector<bool> deforms(skeleton.joints.size()), is_leaf(skeleton.joints.size());
  for (int j : rig.deforming) deforms[index(j)] = true;
  for (const rig::BoneSegment& s : bones) is_leaf[index(s.joint)] = !hasLength(s);

  rehangSideBones(skeleton, deforms, bones);
  dropPhantoms(rays, bones);
  const std::vector<bool> is_feature = addHubBones(skeleton, rays, bones);
  for (std::size_t j = 0; j < is_leaf.size(); ++j) is_leaf[j] = is_leaf[j] && !is_feature[j];
  bridgeBrokenChains(skeleton, deforms, rays, is_leaf, bones);
  addLeafStubs(skeleton, mesh, rays, is_leaf, bones);
  addFleshBones(mesh, skeleton.joints.size(), bones);
  return bones;
}

} // namespace skincells::guess

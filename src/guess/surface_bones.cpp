#include "guess/surface_bones.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "guess/tuning.h"
#include "rig/names/name_words.h"
#include "rig/segment_tree.h"

namespace skincells::guess {
namespace {

using Bones = std::vector<rig::BoneSegment>; // segments of a joint are adjacent, joints in ascending order
using VertexLists = std::vector<std::vector<std::uint32_t>>; // by joint

constexpr int kEnclosureRays = 16;

bool hasLength(const rig::BoneSegment& s) {
  return !(s.a == s.b);
}

std::vector<bool> placeholders(const rig::DeformRig& rig) {
  std::vector<bool> is_placeholder(rig.skeleton.joints.size());
  for (int j : rig.misplaced) is_placeholder[j] = true;
  return is_placeholder;
}

// How many bones each joint has.
std::vector<int> countBones(const Bones& bones, std::size_t joint_count) {
  std::vector<int> owned(joint_count);
  for (const rig::BoneSegment& s : bones) ++owned[s.joint];
  return owned;
}

double meanEnclosure(const mesh::RayQuery& rays, const Vec3d& a, const Vec3d& b) {
  constexpr int kPoints = 5;
  double sum = 0;
  for (int i = 1; i <= kPoints; ++i) sum += rays.enclosure(a + (b - a) * (double(i) / (kPoints + 1)), kEnclosureRays);
  return sum / kPoints;
}

void rehangSideBones(const Skeleton& skeleton, const std::vector<bool>& deforms, Bones& bones) {
  std::vector<int> owned = countBones(bones, skeleton.joints.size());
  for (rig::BoneSegment& s : bones) {
    const int parent = skeleton.joints[s.joint].parent;
    if (owned[s.joint] < 2 || parent == kNoParent || !deforms[parent]) continue;
    const Vec3d from = skeleton.bindPosition(parent);
    const rig::SegmentPoint beside = rig::closestOnSegment(s.b, from, s.a);
    if (beside.parameter >= kTuning.side_bone_ahead || from == s.a) continue;
    --owned[s.joint];
    s = {parent, from + (s.a - from) * beside.parameter, s.b};
  }
  std::ranges::stable_sort(bones, {}, &rig::BoneSegment::joint);
}

// Gives each leaf a bone to the nearest start of another chain ahead of it, if the line between them is inside the mesh
// and no longer than the bone before it.
void bridgeBrokenChains(const Skeleton& skeleton, const std::vector<bool>& deforms, const mesh::RayQuery& rays,
                        const std::vector<bool>& is_leaf, Bones& bones) {
  std::vector<int> starts;
  for (int j = 0; j < skeleton.jointCount(); ++j) {
    const int parent = skeleton.joints[j].parent;
    if (deforms[j] && (parent == kNoParent || !deforms[parent])) starts.push_back(j);
  }
  for (rig::BoneSegment& s : bones) {
    const int parent = skeleton.joints[s.joint].parent;
    if (!is_leaf[s.joint] || parent == kNoParent) continue;
    const Vec3d before = s.a - skeleton.bindPosition(parent);
    double nearest = length(before);
    for (int start : starts) {
      const Vec3d to = skeleton.bindPosition(start);
      const double distance = length(to - s.a);
      if (start == s.joint || distance == 0 || distance >= nearest || dot(to - s.a, before) <= 0) continue;
      if (!runsInside(rays, s.a, to)) continue;
      s.b = to;
      nearest = distance;
    }
  }
}

// An axis of joint space: 0 .. 2 are x, y and z, 3 .. 5 the same reversed. In bind space, of unit length.
Vec3d axisOf(const Skeleton& skeleton, int joint, int axis) {
  const auto& m = skeleton.joints[joint].bind.m;
  const Vec3d column{m[0][axis % 3], m[1][axis % 3], m[2][axis % 3]};
  return normalized(column) * (axis < 3 ? 1.0 : -1.0);
}

constexpr double kAlong = 0.99; // least cosine of a bone and the axis that it runs along

// The axis along which the bones of the rig run, as most joints with one bone have it; -1 if they do not agree.
int boneAxis(const Skeleton& skeleton, const Bones& bones) {
  constexpr int kAxes = 6;
  const std::vector<int> owned = countBones(bones, skeleton.joints.size());
  std::array<int, kAxes> votes{};
  int voters = 0;
  for (const rig::BoneSegment& s : bones) {
    if (owned[s.joint] != 1 || !hasLength(s)) continue;
    ++voters;
    const Vec3d along = normalized(s.b - s.a);
    for (int axis = 0; axis < kAxes; ++axis) votes[axis] += dot(axisOf(skeleton, s.joint, axis), along) > kAlong;
  }
  const auto most = std::ranges::max_element(votes);
  return *most > 0 && 2 * *most >= voters ? static_cast<int>(most - votes.begin()) : -1;
}

// In Blender a joint has one bone, which runs along its y axis. Where a child is at the end of that bone, children much
// farther away start limbs or are controls: nothing of the joint is on the way to them.
void dropFarSideBones(const Skeleton& skeleton, int axis, Bones& bones) {
  constexpr int kBlenderAxis = 1;
  if (axis != kBlenderAxis) return;
  std::vector<double> length_along(skeleton.joints.size()); // of the bone along the axis; 0: none
  const auto isAlong = [&](const rig::BoneSegment& s) {
    return hasLength(s) && dot(normalized(s.b - s.a), axisOf(skeleton, s.joint, axis)) > kAlong;
  };
  for (const rig::BoneSegment& s : bones)
    if (isAlong(s)) length_along[s.joint] = std::max(length_along[s.joint], length(s.b - s.a));
  std::erase_if(bones, [&](const rig::BoneSegment& s) {
    const double own = length_along[s.joint];
    return own > 0 && !isAlong(s) && length(s.b - s.a) > kTuning.far_side_bone * own;
  });
}

// The ends of leaves that are no joints, or only placeholders, are forgotten where they lead out of the mesh.
void dropOuterTips(const rig::DeformRig& rig, const mesh::RayQuery& rays, Bones& bones) {
  const auto children = childrenOf(rig.skeleton);
  const std::vector<bool> is_placeholder = placeholders(rig);
  const auto isTip = [&](int joint) {
    const auto& own = children[joint];
    return own.empty() || (own.size() == 1 && children[own[0]].empty() && is_placeholder[own[0]]);
  };
  for (rig::BoneSegment& s : bones)
    if (hasLength(s) && isTip(s.joint) && !runsInside(rays, s.a, s.b)) s.b = s.a;
}

// The distance at which a line leaves the mesh for good: inner walls (the inside of a mouth, an eyeball) do not end it.
double exitDistance(const mesh::RayQuery& rays, const Vec3d& from, const Vec3d& along) {
  constexpr int kMostWalls = 8;
  constexpr double kBehindWall = 0.5; // enclosure is measured this far behind a wall: off the wall, and no room beyond
  double traveled = 0;
  for (int wall = 0; wall < kMostWalls; ++wall) {
    const auto hit = rays.firstHit(from + along * traveled, along);
    if (!hit) break;
    const double at = traveled + hit->distance;
    traveled = at + kBehindWall;
    if (rays.enclosure(from + along * traveled, kEnclosureRays) < kTuning.inside) return at;
  }
  return std::max(0.0, traveled - kBehindWall);
}

// The joints below a joint, relative to a line.
struct Below {
  bool far = false;   // some joint is too deep, or beyond the end of the line
  bool ahead = false; // some joint continues the line
};

void lookBelow(const std::vector<std::vector<int>>& children, const Skeleton& skeleton, int j, const Vec3d& at,
               const Vec3d& along, double reach, int depth, Below& below) {
  for (int c : children[j]) {
    const Vec3d to = skeleton.bindPosition(c) - at;
    const double distance = length(to);
    below.far = below.far || depth > kTuning.deepest_feature || distance >= reach;
    below.ahead = below.ahead || dot(normalized(to), along) >= kTuning.straight_ahead;
    if (!below.far) lookBelow(children, skeleton, c, at, along, reach, depth + 1, below);
  }
}

bool isNamedLikeFeature(const rig::JointName& name) {
  return !rig::firstWord(name, rig::WordMeaning::Face).empty();
}

// A jaw is long enough for a stub, but does not end the head's bone.
bool isJaw(const rig::JointName& name) {
  return name.has("jaw") || name.has("mjaw") || name.has("chin");
}

bool isOnFace(const rig::JointName& name) {
  return isNamedLikeFeature(name) || isJaw(name);
}

void append(Bones& bones, const Bones& added) {
  bones.insert(bones.end(), added.begin(), added.end());
  std::ranges::stable_sort(bones, {}, &rig::BoneSegment::joint);
}

// For each joint, the vertices nearest to its bones. At equal distance, a joint that is only a point comes first: a
// leaf is the end of its parent's bone, so the vertices beyond it are equally near to both.
VertexLists nearestVertices(const Bones& bones, const Mesh& mesh, std::size_t joint_count) {
  constexpr int kTies = 4;
  std::vector<bool> is_point(joint_count);
  for (const rig::BoneSegment& s : bones) is_point[s.joint] = s.a == s.b;
  const rig::SegmentTree tree(bones);
  std::vector<int> nearest(mesh.positions.size());
  parallelChunks(mesh.positions.size(), 512, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::vector<rig::JointDistance> found;
    for (std::size_t v = begin; v < end; ++v) {
      tree.nearestJoints(toDouble(mesh.positions[v]), kTies, found);
      const auto point = std::ranges::find_if(
          found, [&](const rig::JointDistance& f) { return f.squared == found[0].squared && is_point[f.joint]; });
      nearest[v] = point != found.end() ? point->joint : found[0].joint;
    }
  });
  VertexLists vertices(joint_count);
  for (std::uint32_t v = 0; v < nearest.size(); ++v) vertices[nearest[v]].push_back(v);
  return vertices;
}

// The end of a stub from `joint`: toward the center of the vertices ahead of it, as far as most of them reach.
Vec3d stubEnd(const Vec3d& joint, const Vec3d& along, const Mesh& mesh, const std::vector<std::uint32_t>& vertices) {
  Vec3d sum;
  for (std::uint32_t v : vertices) {
    const Vec3d offset = toDouble(mesh.positions[v]) - joint;
    if (dot(offset, along) > 0) sum += offset;
  }
  const Vec3d direction = normalized(sum);
  std::vector<double> reach;
  for (std::uint32_t v : vertices) {
    const double r = dot(toDouble(mesh.positions[v]) - joint, direction);
    if (r > 0) reach.push_back(r);
  }
  if (reach.empty()) return joint;
  const auto most =
      reach.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(reach.size() - 1) * kTuning.stub_reach);
  std::ranges::nth_element(reach, most);
  return joint + direction * (kTuning.stub_length * *most);
}

// Gives a joint with a parent and several children, none of them far away, or with a jaw or the like as only child, a
// bone that continues the parent's, unless a child does. Returns which joints are features on such a joint's surface (a
// face): they get no stub.
std::vector<bool> addHubBones(const Skeleton& skeleton, const mesh::RayQuery& rays, Bones& bones) {
  const auto children = childrenOf(skeleton);
  const auto names = rig::jointNames(skeleton);
  std::vector<bool> deforms(children.size()), below_hub(children.size()), is_feature(children.size());
  for (const rig::BoneSegment& s : bones) deforms[s.joint] = true;
  Bones added;
  for (int j : parentFirstOrder(skeleton)) {
    const int parent = skeleton.joints[j].parent;
    is_feature[j] = isNamedLikeFeature(names[j]);
    if (parent != kNoParent && below_hub[parent]) {
      below_hub[j] = true;
      is_feature[j] = is_feature[j] || is_feature[parent];
      continue;
    }
    // An only child ends its parent's bone, unless it is a feature on the parent's surface (a jaw).
    const auto& own = children[j];
    const bool carries = own.size() > 1 || (own.size() == 1 && isOnFace(names[own[0]]));
    if (!deforms[j] || parent == kNoParent || !carries) continue;
    const Vec3d at = skeleton.bindPosition(j), along = normalized(at - skeleton.bindPosition(parent));
    const double reach = exitDistance(rays, at, along);
    if (reach == 0) continue;
    Below below;
    lookBelow(children, skeleton, j, at, along, reach, 1, below);
    if (below.far) continue;
    below_hub[j] = true;
    is_feature[j] = !below.ahead;
    if (!below.ahead) added.push_back({j, at, at + along * (kTuning.stub_length * reach)});
  }
  append(bones, added);
  return is_feature;
}

// Turns the points of the `wanted` joints into stubs.
void addLeafStubs(const Skeleton& skeleton, const Mesh& mesh, const mesh::RayQuery& rays,
                  const std::vector<bool>& wanted, Bones& bones) {
  const VertexLists vertices = nearestVertices(bones, mesh, skeleton.joints.size());
  parallelChunks(bones.size(), 4, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      rig::BoneSegment& s = bones[i];
      const int parent = skeleton.joints[s.joint].parent;
      if (!wanted[s.joint] || !(s.a == s.b) || parent == kNoParent) continue;
      const Vec3d before = s.a - skeleton.bindPosition(parent);
      const Vec3d along = normalized(before);
      if (dot(along, along) == 0) continue;
      Vec3d to = stubEnd(s.a, along, mesh, vertices[s.joint]);
      const double ahead = kTuning.stub_length * exitDistance(rays, s.a, along);
      if (ahead > length(to - s.a)) to = s.a + along * ahead;
      s.b = to;
    }
  });
}

// Gives `wanted` leaves a bone along the rig's own axis: riggers turn joints so that one axis points along the bone,
// also where no child shows its end (a foot below an ankle, a hand below a wrist). As long as the bone before it, or
// most of the way to the surface if that is longer, but not past another joint. Leaves whose bone would be outside the
// mesh are left as they are; the others are no longer wanted.
void addAxisBones(const rig::DeformRig& rig, const mesh::RayQuery& rays, int axis, std::vector<bool>& wanted,
                  Bones& bones) {
  const Skeleton& skeleton = rig.skeleton;
  const std::vector<bool> is_placeholder = placeholders(rig);
  std::vector<Vec3d> tips(bones.size());
  for (std::size_t i = 0; i < bones.size(); ++i) tips[i] = bones[i].b;
  parallelChunks(bones.size(), 4, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const rig::BoneSegment& s = bones[i];
      if (!wanted[s.joint] || hasLength(s)) continue;
      const Vec3d along = axisOf(skeleton, s.joint, axis);
      const int parent = skeleton.joints[s.joint].parent;
      double reach = kTuning.stub_length * exitDistance(rays, s.a, along);
      if (parent != kNoParent && !is_placeholder[parent])
        reach = std::max(reach, length(s.a - skeleton.bindPosition(parent)));
      for (int j : rig.deforming) {
        const Vec3d to = skeleton.bindPosition(j) - s.a;
        if (dot(to, along) > kTuning.axis_stop * length(to)) reach = std::min(reach, length(to));
      }
      const Vec3d tip = s.a + along * reach;
      if (meanEnclosure(rays, s.a, tip) >= kTuning.axis_inside) tips[i] = tip;
    }
  });
  for (std::size_t i = 0; i < bones.size(); ++i) {
    if (tips[i] == bones[i].b) continue;
    bones[i].b = tips[i];
    wanted[bones[i].joint] = false;
  }
}

} // namespace

bool runsInside(const mesh::RayQuery& rays, const Vec3d& a, const Vec3d& b) {
  return meanEnclosure(rays, a, b) >= kTuning.inside;
}

std::vector<rig::BoneSegment> surfaceBones(const rig::DeformRig& rig, const Mesh& mesh, const mesh::RayQuery& rays) {
  const Skeleton& skeleton = rig.skeleton;
  Bones bones = rig::boneSegments(rig);
  std::ranges::stable_sort(bones, {}, &rig::BoneSegment::joint);
  std::vector<bool> deforms(skeleton.joints.size()), is_leaf(skeleton.joints.size());
  for (int j : rig.deforming) deforms[j] = true;
  const int axis = boneAxis(skeleton, bones);
  dropOuterTips(rig, rays, bones);
  for (const rig::BoneSegment& s : bones) is_leaf[s.joint] = !hasLength(s);

  dropFarSideBones(skeleton, axis, bones);
  rehangSideBones(skeleton, deforms, bones);
  const std::vector<bool> is_feature = addHubBones(skeleton, rays, bones);
  for (std::size_t j = 0; j < is_leaf.size(); ++j) is_leaf[j] = is_leaf[j] && !is_feature[j];
  if (axis >= 0) addAxisBones(rig, rays, axis, is_leaf, bones);
  bridgeBrokenChains(skeleton, deforms, rays, is_leaf, bones);
  addLeafStubs(skeleton, mesh, rays, is_leaf, bones);
  return bones;
}

} // namespace skincells::guess

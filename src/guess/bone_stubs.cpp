#include "guess/bone_stubs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/parallel.h"
#include "rig/names/name_words.h"
#include "rig/segment_tree.h"

namespace skincells::guess {
namespace {

using Bones = std::vector<rig::BoneSegment>;
using VertexLists = std::vector<std::vector<std::uint32_t>>; // by joint

constexpr int kEnclosureRays = 16;
constexpr double kReach = 0.9; // of the way to where a line leaves the mesh, or to the farthest vertices

std::size_t index(int joint) {
  return static_cast<std::size_t>(joint);
}

// How far a line that starts inside runs before it leaves the mesh for good: walls that have flesh behind them (the
// inside of a mouth, an eyeball) do not end it. 0 when it does not start inside.
double exitDistance(const mesh::RayQuery& rays, const Vec3d& from, const Vec3d& along) {
  constexpr double kBeyond = 0.5;  // a point this far behind a wall tells what is there
  constexpr double kOutside = 0.8; // enclosure below which that is the air
  constexpr int kMostWalls = 8;
  if (rays.enclosure(from, kEnclosureRays) < 0.5) return 0;
  double way = 0;
  for (int wall = 0; wall < kMostWalls; ++wall) {
    const auto hit = rays.firstHit(from + along * way, along);
    if (!hit) break;
    const double at = way + hit->distance;
    way = at + kBeyond;
    if (rays.enclosure(from + along * way, kEnclosureRays) < kOutside) return at;
  }
  return std::max(0.0, way - kBeyond);
}

// What stands below a joint, seen along a line.
struct Below {
  bool far = false;   // more than two joints deep, or farther away than the flesh goes
  bool ahead = false; // straight on, at least halfway
  int leaf_count = 0;
};

void lookBelow(const std::vector<std::vector<int>>& children, const Skeleton& skeleton, int j, const Vec3d& at,
               const Vec3d& along, double reach, int depth, Below& below) {
  constexpr int kDeepest = 2;
  constexpr double kAhead = 0.8; // cosine
  for (int c : children[index(j)]) {
    const Vec3d way = skeleton.bindPosition(c) - at;
    const double distance = length(way);
    below.far = below.far || depth > kDeepest || distance >= reach;
    below.ahead = below.ahead || (distance >= 0.5 * reach && dot(normalized(way), along) >= kAhead);
    if (children[index(c)].empty()) ++below.leaf_count;
    if (!below.far) lookBelow(children, skeleton, c, at, along, reach, depth + 1, below);
  }
}

bool isNamedLikeFeature(const rig::JointName& name) {
  return !rig::firstWord(name, rig::WordMeaning::Face).empty();
}

// Jaws are long enough for a stub of their own, but do not end the head's bone.
bool isJaw(const rig::JointName& name) {
  return name.has("jaw") || name.has("mjaw") || name.has("chin");
}

bool isOnFace(const rig::JointName& name) {
  return isNamedLikeFeature(name) || isJaw(name);
}

// The way to the chin for a jaw without children whose hinge stands straight up from the head's joint: forwards and
// down from the head's bone, instead of on towards the forehead. 0 where forwards is not known; nothing for other
// hinges, which stand on the way to the chin.
std::optional<Vec3d> towardsChin(const Vec3d& from_head, const Vec3d& head_along) {
  constexpr double kUpright = 0.7; // cosine
  constexpr double kAside = 0.15, kDown = 0.6;
  const double size = length(from_head), up = dot(from_head, head_along);
  if (up < kUpright * size) return std::nullopt;
  const Vec3d forwards = from_head - head_along * up;
  return length(forwards) < kAside * size ? Vec3d{} : normalized(normalized(forwards) - head_along * kDown);
}

std::optional<Vec3d> towardsChin(const Skeleton& skeleton, const rig::JointName& name, int joint) {
  const int head = skeleton.joints[index(joint)].parent, neck = skeleton.joints[index(head)].parent;
  if (neck == kNoParent || !isJaw(name)) return std::nullopt;
  const Vec3d at = skeleton.bindPosition(head);
  return towardsChin(skeleton.bindPosition(joint) - at, normalized(at - skeleton.bindPosition(neck)));
}

void append(Bones& bones, const Bones& added) {
  bones.insert(bones.end(), added.begin(), added.end());
  std::ranges::stable_sort(bones, {}, &rig::BoneSegment::joint);
}

// For each joint the vertices nearest to its bones. prefer_points: of joints at one distance, those that are only a
// point come first (a leaf stands at the end of its parent's bone, and the vertices beyond it are as near to both).
VertexLists nearestVertices(const Bones& bones, const Mesh& mesh, std::size_t joint_count, bool prefer_points) {
  constexpr int kTies = 4;
  std::vector<bool> is_point(joint_count);
  for (const rig::BoneSegment& s : bones) is_point[index(s.joint)] = s.a == s.b;
  const rig::SegmentTree tree(bones);
  std::vector<int> nearest(mesh.positions.size());
  parallelChunks(mesh.positions.size(), 512, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::vector<rig::JointDistance> found;
    for (std::size_t v = begin; v < end; ++v) {
      tree.nearestJoints(toDouble(mesh.positions[v]), prefer_points ? kTies : 1, found);
      const auto point = std::ranges::find_if(found, [&](const rig::JointDistance& f) {
        return prefer_points && f.squared == found[0].squared && is_point[index(f.joint)];
      });
      nearest[v] = point != found.end() ? point->joint : found[0].joint;
    }
  });
  VertexLists vertices(joint_count);
  for (std::uint32_t v = 0; v < nearest.size(); ++v) vertices[index(nearest[v])].push_back(v);
  return vertices;
}

// The end of a stub from `joint`: towards the middle of those vertices that lie ahead, as far as most vertices reach.
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
  const auto most = reach.begin() + static_cast<std::ptrdiff_t>((reach.size() - 1) * 9 / 10);
  std::ranges::nth_element(reach, most);
  return joint + direction * (kReach * *most);
}

// Mean distance of a point to its three nearest vertices.
double fleshRadius(const Mesh& mesh, const Vec3d& point) {
  std::array<double, 3> nearest{INFINITY, INFINITY, INFINITY};
  for (const Vec3f& p : mesh.positions) {
    const double distance = length(toDouble(p) - point);
    if (distance >= nearest[2]) continue;
    nearest[2] = distance;
    std::ranges::sort(nearest);
  }
  return (nearest[0] + nearest[1] + nearest[2]) / 3;
}

// Is a stub long enough to matter? End joints and joints of a face have short ones.
bool matters(double stub, double parent_length, const Mesh& mesh, const Vec3d& joint) {
  constexpr double kLong = 0.25, kShort = 0.15; // of the parent's bone
  constexpr double kToRadius = 2;
  if (stub >= kLong * parent_length) return true;
  return stub >= kShort * parent_length && stub >= kToRadius * fleshRadius(mesh, joint);
}

} // namespace

std::vector<bool> addHubBones(const Skeleton& skeleton, const mesh::RayQuery& rays, Bones& bones) {
  constexpr int kFaceLeaves = 6; // more than a hand has fingers
  const auto children = childrenOf(skeleton);
  const auto names = rig::jointNames(skeleton);
  std::vector<bool> deforms(children.size()), below_hub(children.size()), is_feature(children.size());
  for (const rig::BoneSegment& s : bones) deforms[index(s.joint)] = true;
  Bones added;
  for (int j : parentFirstOrder(skeleton)) {
    const int parent = skeleton.joints[index(j)].parent;
    is_feature[index(j)] = isNamedLikeFeature(names[index(j)]);
    if (parent != kNoParent && below_hub[index(parent)]) {
      below_hub[index(j)] = true;
      is_feature[index(j)] = is_feature[index(j)] || is_feature[index(parent)];
      continue;
    }
    // An only child ends its parent's bone, unless it is a feature of its flesh (a jaw).
    const auto& own = children[index(j)];
    const bool carries = own.size() > 1 || (own.size() == 1 && isOnFace(names[index(own[0])]));
    if (!deforms[index(j)] || parent == kNoParent || !carries) continue;
    const Vec3d at = skeleton.bindPosition(j), along = normalized(at - skeleton.bindPosition(parent));
    const double reach = exitDistance(rays, at, along);
    if (reach == 0) continue;
    Below below;
    lookBelow(children, skeleton, j, at, along, reach, 1, below);
    if (below.far) continue;
    below_hub[index(j)] = true;
    is_feature[index(j)] = !below.ahead || below.leaf_count >= kFaceLeaves;
    if (!below.ahead) added.push_back({j, at, at + along * (kReach * reach)});
  }
  append(bones, added);
  return is_feature;
}

void addLeafStubs(const Skeleton& skeleton, const Mesh& mesh, const mesh::RayQuery& rays,
                  const std::vector<bool>& wanted, Bones& bones) {
  const VertexLists vertices = nearestVertices(bones, mesh, skeleton.joints.size(), true);
  const auto names = rig::jointNames(skeleton);
  parallelChunks(bones.size(), 4, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      rig::BoneSegment& s = bones[i];
      const int parent = skeleton.joints[index(s.joint)].parent;
      if (!wanted[index(s.joint)] || !(s.a == s.b) || parent == kNoParent) continue;
      const Vec3d before = s.a - skeleton.bindPosition(parent);
      const std::optional<Vec3d> chin = towardsChin(skeleton, names[index(s.joint)], s.joint);
      const Vec3d along = chin.value_or(normalized(before));
      if (dot(along, along) == 0) continue;
      Vec3d to = chin ? s.a : stubEnd(s.a, along, mesh, vertices[index(s.joint)]);
      const double ahead = kReach * exitDistance(rays, s.a, along);
      if (ahead > length(to - s.a)) to = s.a + along * ahead;
      if (matters(length(to - s.a), length(before), mesh, s.a)) s.b = to;
    }
  });
}

void addFleshBones(const Mesh& mesh, std::size_t joint_count, Bones& bones) {
  constexpr double kTimes = 1.4; // the longest bone
  const VertexLists vertices = nearestVertices(bones, mesh, joint_count, false);
  Bones added;
  for (std::size_t s = 0; s < bones.size();) {
    const rig::BoneSegment first = bones[s];
    double longest = 0;
    for (; s < bones.size() && bones[s].joint == first.joint; ++s)
      longest = std::max(longest, length(bones[s].b - first.a));
    const auto& own = vertices[index(first.joint)];
    if (own.empty() || longest == 0) continue;
    Vec3d sum;
    for (std::uint32_t v : own) sum += toDouble(mesh.positions[v]) - first.a;
    if (length(sum) > kTimes * longest * static_cast<double>(own.size()))
      added.push_back({first.joint, first.a, stubEnd(first.a, sum, mesh, own)});
  }
  append(bones, added);
}

} // namespace skincells::guess

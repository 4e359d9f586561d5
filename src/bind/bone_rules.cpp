#include "bind/bone_rules.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "baseline/segment_tree.h"
#include "rig/joint_names.h"

namespace skincells::binding {
namespace {

constexpr int kEnclosureRays = 16;
constexpr int kPointsOnBone = 5;
constexpr double kPhantomEnclosure = 0.6; // mean enclosure below which a line runs mostly outside
constexpr double kLongStub = 0.25;        // of the parent's bone: kept
constexpr double kShortStub = 0.15;       // of the parent's bone: kept when it is long against the flesh around it
constexpr double kStubToRadius = 2;
constexpr double kStubReach = 0.9; // of the way to where the line leaves the mesh

static const bool rehang = getenv("NOREHANG") == nullptr, straight = getenv("NOSTR") == nullptr,
                  straight_single = getenv("STR1") != nullptr;
bool hasLength(const rig::BoneSegment& s) {
  return !(s.a == s.b);
}

double lineEnclosure(const mesh::RayQuery& rays, const Vec3d& a, const Vec3d& b) {
  double sum = 0;
  for (int i = 1; i <= kPointsOnBone; ++i)
    sum += rays.enclosure(a + (b - a) * (double(i) / (kPointsOnBone + 1)), kEnclosureRays);
  return sum / kPointsOnBone;
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

// Drops segments of joints with several children that run mostly outside.
std::vector<rig::BoneSegment> withoutPhantoms(const std::vector<rig::BoneSegment>& all, const mesh::RayQuery& rays) {
  std::vector<char> keep(all.size(), 1);
  parallelChunks(all.size(), 4, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t s = begin; s < end; ++s) {
      const bool several =
          (s > 0 && all[s - 1].joint == all[s].joint) || (s + 1 < all.size() && all[s + 1].joint == all[s].joint);
      if (several && hasLength(all[s])) keep[s] = lineEnclosure(rays, all[s].a, all[s].b) >= kPhantomEnclosure;
    }
  });
  std::vector<rig::BoneSegment> kept;
  for (std::size_t s = 0; s < all.size();) {
    std::size_t end = s;
    const std::size_t before = kept.size();
    for (; end < all.size() && all[end].joint == all[s].joint; ++end)
      if (keep[end]) kept.push_back(all[end]);
    if (kept.size() == before) kept.push_back({all[s].joint, all[s].a, all[s].a});
    s = end;
  }
  return kept;
}

// For each leaf that is only a point, the vertices that no bone is nearer to. A leaf stands at the end of its parent's
// bone: the vertices beyond it are at the same distance from both, and count for the leaf.
std::vector<std::vector<std::uint32_t>> verticesOfPoints(const std::vector<rig::BoneSegment>& bones, const Mesh& mesh,
                                                         std::size_t joint_count) {
  constexpr int kTies = 4;
  std::vector<bool> is_point(joint_count);
  for (const rig::BoneSegment& s : bones) is_point[static_cast<std::size_t>(s.joint)] = !hasLength(s);
  const baseline::SegmentTree tree(bones);
  std::vector<int> nearest(mesh.positions.size(), -1);
  parallelChunks(mesh.positions.size(), 512, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::vector<baseline::JointDistance> found;
    for (std::size_t v = begin; v < end; ++v) {
      tree.nearestJoints(toDouble(mesh.positions[v]), kTies, found);
      for (const baseline::JointDistance& f : found)
        if (nearest[v] < 0 && f.squared == found[0].squared && is_point[static_cast<std::size_t>(f.joint)])
          nearest[v] = f.joint;
    }
  });
  std::vector<std::vector<std::uint32_t>> vertices(joint_count);
  for (std::uint32_t v = 0; v < nearest.size(); ++v)
    if (nearest[v] >= 0) vertices[static_cast<std::size_t>(nearest[v])].push_back(v);
  return vertices;
}

// Mean distance of a point to its three nearest vertices.
double fleshRadius(const Mesh& mesh, const Vec3d& point) {
  std::array<double, 3> nearest{INFINITY, INFINITY, INFINITY};
  for (const Vec3f& p : mesh.positions) {
    const Vec3d offset = toDouble(p) - point;
    const double squared = dot(offset, offset);
    if (squared >= nearest[2]) continue;
    nearest[2] = squared;
    std::ranges::sort(nearest);
  }
  double sum = 0, count = 0;
  for (double squared : nearest)
    if (std::isfinite(squared)) sum += std::sqrt(squared), count += 1;
  return count > 0 ? sum / count : 0;
}

// The end of a leaf's stub: as far as the vertices beyond it reach, towards their middle.
Vec3d stubEnd(const Vec3d& joint, const Vec3d& along, const Mesh& mesh, std::span<const std::uint32_t> vertices) {
  Vec3d sum;
  double count = 0;
  for (std::uint32_t v : vertices) {
    const Vec3d offset = toDouble(mesh.positions[v]) - joint;
    if (dot(offset, along) <= 0) continue;
    sum += offset;
    count += 1;
  }
  if (count == 0) return joint;
  const Vec3d direction = normalized(sum);
  std::vector<double> reach;
  for (std::uint32_t v : vertices) {
    const double r = dot(toDouble(mesh.positions[v]) - joint, direction);
    if (r > 0) reach.push_back(r);
  }
  if (reach.empty()) return joint;
  std::ranges::sort(reach);
  return joint + direction * (kStubReach * reach[(reach.size() - 1) * 9 / 10]);
}

class StubMaker {
public:
  StubMaker(const Mesh& mesh, const mesh::RayQuery& rays) : mesh_(mesh), rays_(rays) {}

  // parent: where the bone that ends in `joint` starts.
  Vec3d end(const Vec3d& parent, const Vec3d& joint, std::span<const std::uint32_t> vertices) const {
    const double parent_length = length(joint - parent);
    if (parent_length == 0) return joint;
    const Vec3d along = normalized(joint - parent);
    Vec3d end = stubEnd(joint, along, mesh_, vertices);
    double stub = length(end - joint);
    const double ahead = kStubReach * exitDistance(rays_, joint, along);
    if (ahead > stub) {
      stub = ahead;
      end = joint + along * stub;
    }
    const bool keep = stub >= kLongStub * parent_length ||
                      (stub >= kShortStub * parent_length && stub >= kStubToRadius * fleshRadius(mesh_, joint));
    return keep ? end : joint;
  }

private:
  const Mesh& mesh_;
  const mesh::RayQuery& rays_;
};

// A side bone that runs backwards along the bone it starts from (Biped: thighs hang under the spine, collar bones under
// the neck) grows out of that bone: it belongs to the parent, from the point beside it.
void rehangSideBones(const Skeleton& skeleton, std::span<const int> deforming, std::vector<rig::BoneSegment>& bones,
                     double scale, const Vec3d& offset) {
  constexpr double kBackwards = 0.9; // of the parent's bone: the side bone ends before that
  std::vector<bool> deforms(skeleton.joints.size());
  for (int j : deforming) deforms[static_cast<std::size_t>(j)] = true;
  std::vector<int> owned(skeleton.joints.size());
  for (const rig::BoneSegment& s : bones) ++owned[static_cast<std::size_t>(s.joint)];
  for (rig::BoneSegment& s : bones) {
    const auto j = static_cast<std::size_t>(s.joint);
    const int parent = skeleton.joints[j].parent;
    if (owned[j] < 2 || parent == kNoParent || !deforms[static_cast<std::size_t>(parent)]) continue;
    const Vec3d from = (skeleton.bindPosition(parent) - offset) * scale;
    const rig::SegmentPoint beside = rig::closestOnSegment(s.b, from, s.a);
    if (beside.parameter >= kBackwards || from == s.a) continue;
    --owned[j];
    s = {parent, from + (s.a - from) * beside.parameter, s.b};
  }
  std::ranges::stable_sort(bones, {}, &rig::BoneSegment::joint);
}

struct Below {
  bool far = false, ahead = false;
  int leaves = 0;
};

// Does the skeleton below `j` go on as the flesh does: for more than two joints, as far as `reach`, or straight ahead
// and halfway?
void lookBelow(const std::vector<std::vector<int>>& children, const Skeleton& skeleton, int j, const Vec3d& at,
               const Vec3d& along, double reach, int depth, Below& below) {
  constexpr double kAhead = 0.8; // cosine
  constexpr int kDeepest = 2;
  for (int c : children[static_cast<std::size_t>(j)]) {
    const Vec3d way = skeleton.bindPosition(c) - at;
    const double distance = length(way);
    if (depth > kDeepest || distance >= reach) below.far = true;
    if (distance >= 0.5 * reach && dot(normalized(way), along) >= kAhead) below.ahead = true;
    if (children[static_cast<std::size_t>(c)].empty()) ++below.leaves;
    if (!below.far) lookBelow(children, skeleton, c, at, along, reach, depth + 1, below);
  }
}

// Joints with several children whose flesh goes on straight ahead where no joint below them stands (a head with the
// joints of a face) get a bone of their own there.
std::vector<int> addStraightBones(const Skeleton& skeleton, const mesh::RayQuery& rays,
                                  std::vector<rig::BoneSegment>& bones, double scale, const Vec3d& offset) {
  std::vector<int> hubs;
  const auto children = childrenOf(skeleton);
  std::vector<rig::BoneSegment> added;
  std::vector<bool> below(skeleton.joints.size()), deforms(skeleton.joints.size());
  for (const auto& b : bones) deforms[static_cast<std::size_t>(b.joint)] = true;
  for (int j : parentFirstOrder(skeleton)) {
    const int parent = skeleton.joints[static_cast<std::size_t>(j)].parent;
    if (parent != kNoParent && below[static_cast<std::size_t>(parent)]) {
      below[static_cast<std::size_t>(j)] = true;
      continue;
    }
    if (!deforms[static_cast<std::size_t>(j)] || parent == kNoParent ||
        children[static_cast<std::size_t>(j)].size() < (straight_single ? 1 : 2))
      continue;
    const Vec3d at = skeleton.bindPosition(j), along = normalized(at - skeleton.bindPosition(parent));
    const Vec3d from = (at - offset) * scale;
    const double reach = exitDistance(rays, from, along);
    Below seen;
    if (reach == 0) continue;
    lookBelow(children, skeleton, j, at, along, reach / scale, 1, seen);
    if (seen.far) continue;
    below[static_cast<std::size_t>(j)] = true;
    static const int leafs = getenv("HUB") ? atoi(getenv("HUB")) : 6;
    if (!seen.ahead || seen.leaves >= leafs) hubs.push_back(j);
    if (seen.ahead) continue;
    added.push_back({j, from, from + along * (kStubReach * reach)});
  }
  bones.insert(bones.end(), added.begin(), added.end());
  std::ranges::stable_sort(bones, {}, &rig::BoneSegment::joint);
  return hubs;
}

// The chain of a limb may be broken: rigs with IK hang a foot under the root while the shin above it is a leaf. A leaf
// whose flesh runs straight to the start of such a chain gets a bone that ends there.
void bridgeBrokenChains(const Skeleton& skeleton, const mesh::RayQuery& rays, const std::vector<bool>& is_leaf,
                        std::vector<rig::BoneSegment>& bones, double scale, const Vec3d& offset) {
  static const double kInside = getenv("BRI") ? atof(getenv("BRI")) : 0.9;
  static const double kLongest = getenv("BRL") ? atof(getenv("BRL")) : 1.5; // of the bone before
  std::vector<bool> deforms(skeleton.joints.size());
  for (const auto& b : bones) deforms[static_cast<std::size_t>(b.joint)] = true;
  std::vector<int> starts;
  for (std::size_t j = 0; j < deforms.size(); ++j) {
    const int parent = skeleton.joints[j].parent;
    if (deforms[j] && (parent == kNoParent || !deforms[static_cast<std::size_t>(parent)]))
      starts.push_back(static_cast<int>(j));
  }
  for (rig::BoneSegment& s : bones) {
    const int parent = skeleton.joints[static_cast<std::size_t>(s.joint)].parent;
    if (!is_leaf[static_cast<std::size_t>(s.joint)] || parent == kNoParent) continue;
    const Vec3d from = (skeleton.bindPosition(parent) - offset) * scale;
    double nearest = kLongest * length(s.a - from);
    for (int start : starts) {
      const Vec3d to = (skeleton.bindPosition(start) - offset) * scale;
      const double distance = length(to - s.a);
      if (start == s.joint || distance == 0 || distance >= nearest || dot(to - s.a, s.a - from) <= 0) continue;
      if (lineEnclosure(rays, s.a, to) < kInside) continue;
      s.b = to;
      nearest = distance;
    }
  }
}

// A joint whose bones are all shorter than the way to the middle of the flesh around it (a head whose children are its
// ears) gets a bone into that flesh.
void addFleshBones(const Mesh& mesh, std::size_t joint_count, std::vector<rig::BoneSegment>& bones) {
  static const double kTimes = getenv("FLT") ? atof(getenv("FLT")) : 1.4;
  const baseline::SegmentTree tree(bones);
  std::vector<int> nearest(mesh.positions.size());
  parallelChunks(mesh.positions.size(), 512, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::vector<baseline::JointDistance> found;
    for (std::size_t v = begin; v < end; ++v) {
      tree.nearestJoints(toDouble(mesh.positions[v]), 1, found);
      nearest[v] = found[0].joint;
    }
  });
  std::vector<std::vector<std::uint32_t>> vertices(joint_count);
  for (std::uint32_t v = 0; v < nearest.size(); ++v) vertices[static_cast<std::size_t>(nearest[v])].push_back(v);
  std::vector<rig::BoneSegment> added;
  for (std::size_t s = 0; s < bones.size();) {
    const auto& own = vertices[static_cast<std::size_t>(bones[s].joint)];
    const std::size_t first = s;
    double longest = 0;
    for (; s < bones.size() && bones[s].joint == bones[first].joint; ++s)
      longest = std::max(longest, length(bones[s].b - bones[first].a));
    if (own.empty() || longest == 0) continue;
    Vec3d middle;
    for (std::uint32_t v : own) middle += toDouble(mesh.positions[v]) * (1 / double(own.size()));
    const Vec3d way = middle - bones[first].a;
    if (length(way) <= kTimes * longest) continue;
    added.push_back({bones[first].joint, bones[first].a, stubEnd(bones[first].a, way, mesh, own)});
  }
  bones.insert(bones.end(), added.begin(), added.end());
  std::ranges::stable_sort(bones, {}, &rig::BoneSegment::joint);
}

} // namespace

std::vector<rig::BoneSegment> fleshBones(const Skeleton& skeleton, std::span<const int> deforming,
                                         std::span<const int> misplaced, const Mesh& mesh, const mesh::RayQuery& rays,
                                         double scale, const Vec3d& offset) {
  std::vector<rig::BoneSegment> bones = rig::boneSegments(skeleton, deforming, misplaced);
  std::ranges::stable_sort(bones, {}, &rig::BoneSegment::joint);
  for (rig::BoneSegment& s : bones) s.a = (s.a - offset) * scale, s.b = (s.b - offset) * scale;
  std::vector<bool> is_leaf(skeleton.joints.size());
  for (const rig::BoneSegment& s : bones) is_leaf[static_cast<std::size_t>(s.joint)] = !hasLength(s);
  if (rehang) rehangSideBones(skeleton, deforming, bones, scale, offset);
  bones = withoutPhantoms(bones, rays);
  std::vector<int> hubs;
  if (straight) hubs = addStraightBones(skeleton, rays, bones, scale, offset);
  std::vector<bool> in_face(skeleton.joints.size());
  for (int h : hubs) in_face[static_cast<std::size_t>(h)] = true;
  for (int j : parentFirstOrder(skeleton)) {
    const int parent = skeleton.joints[static_cast<std::size_t>(j)].parent;
    if (parent != kNoParent && in_face[static_cast<std::size_t>(parent)]) in_face[static_cast<std::size_t>(j)] = true;
  }
  static const bool noface = getenv("NOFACE") != nullptr;
  const auto names = rig::jointNames(skeleton);
  for (std::size_t j = 0; j < in_face.size(); ++j)
    for (const char* w : {"eye", "eyebrow", "brow", "lid", "eyelid", "lip", "mouth", "nose", "cheek", "tongue", "teeth",
                          "eyes", "lips", "pupil"})
      if (names[j].has(w)) in_face[j] = true;
  if (!noface)
    for (std::size_t j = 0; j < in_face.size(); ++j)
      if (in_face[j]) is_leaf[j] = false;
  if (!getenv("NOBRI")) bridgeBrokenChains(skeleton, rays, is_leaf, bones, scale, offset);
  const auto vertices = verticesOfPoints(bones, mesh, skeleton.joints.size());
  const StubMaker stubs(mesh, rays);
  for (rig::BoneSegment& s : bones) {
    const auto j = static_cast<std::size_t>(s.joint);
    const int parent = skeleton.joints[j].parent;
    if (hasLength(s) || parent == kNoParent || !is_leaf[j]) continue;
    s.b = stubs.end((skeleton.bindPosition(parent) - offset) * scale, s.a, vertices[j]);
  }
  if (!getenv("NOFL")) addFleshBones(mesh, skeleton.joints.size(), bones);
  return bones;
}

} // namespace skincells::binding

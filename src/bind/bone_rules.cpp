#include "bind/bone_rules.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "baseline/segment_tree.h"

namespace skincells::binding {
namespace {

constexpr int kEnclosureRays = 16;
constexpr int kPointsOnBone = 5;
constexpr double kPhantomEnclosure = 0.6;  // mean enclosure below which a line runs mostly outside
constexpr double kLongStub = 0.25;         // of the parent's bone: kept
constexpr double kShortStub = 0.15;        // of the parent's bone: kept when it is long against the flesh around it
constexpr double kStubToRadius = 2;
constexpr double kStubReach = 0.9;         // of the way to where the line leaves the mesh

static const bool rehang=getenv("NOREHANG")==nullptr, straight=getenv("NOSTR")==nullptr, straight_single=getenv("STR1")!=nullptr;
bool hasLength(const rig::BoneSegment& s) {
  return !(s.a == s.b);
}

double lineEnclosure(const mesh::RayQuery& rays, const Vec3d& a, const Vec3d& b) {
  double sum = 0;
  for (int i = 1; i <= kPointsOnBone; ++i)
    sum += rays.enclosure(a + (b - a) * (double(i) / (kPointsOnBone + 1)), kEnclosureRays);
  return sum / kPointsOnBone;
}

// Drops segments of joints with several children that run mostly outside.
std::vector<rig::BoneSegment> withoutPhantoms(const std::vector<rig::BoneSegment>& all, const mesh::RayQuery& rays) {
  std::vector<char> keep(all.size(), 1);
  parallelChunks(all.size(), 4, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t s = begin; s < end; ++s) {
      const bool several = (s > 0 && all[s - 1].joint == all[s].joint) ||
                           (s + 1 < all.size() && all[s + 1].joint == all[s].joint);
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
    if (rays_.enclosure(joint, kEnclosureRays) >= 0.5) {
      const auto leaves = rays_.firstHit(joint, along);
      if (leaves && kStubReach * leaves->distance > stub) {
        stub = kStubReach * leaves->distance;
        end = joint + along * stub;
      }
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

// Does the skeleton go on below `j` as far as the flesh does: is there a joint farther away than `reach` anywhere, or
// straight ahead and halfway?
bool goesOn(const std::vector<std::vector<int>>& children, const Skeleton& skeleton, int j, const Vec3d& at,
            const Vec3d& along, double reach) {
  constexpr double kAhead = 0.8; // cosine
  return std::ranges::any_of(children[static_cast<std::size_t>(j)], [&](int c) {
    const Vec3d way = skeleton.bindPosition(c) - at;
    const double distance = length(way);
    return distance >= reach || (distance >= 0.5 * reach && dot(normalized(way), along) >= kAhead) ||
           goesOn(children, skeleton, c, at, along, reach);
  });
}

// Joints with several children whose flesh goes on straight ahead where no joint below them stands (a head with the
// joints of a face) get a bone of their own there.
void addStraightBones(const Skeleton& skeleton, const mesh::RayQuery& rays, std::vector<rig::BoneSegment>& bones,
                      double scale, const Vec3d& offset) {
  const auto children = childrenOf(skeleton);
  std::vector<rig::BoneSegment> added;
  for (std::size_t s = 0; s < bones.size();) {
    const int j = bones[s].joint, parent = skeleton.joints[static_cast<std::size_t>(j)].parent;
    while (s < bones.size() && bones[s].joint == j) ++s;
    if (parent == kNoParent || children[static_cast<std::size_t>(j)].size() < (straight_single?1:2)) continue;
    const Vec3d at = skeleton.bindPosition(j), along = normalized(at - skeleton.bindPosition(parent));
    const Vec3d from = (at - offset) * scale;
    if (rays.enclosure(from, kEnclosureRays) < 0.5) continue;
    const auto leaves = rays.firstHit(from, along);
    if (!leaves || goesOn(children, skeleton, j, at, along, leaves->distance / scale)) continue;
    added.push_back({j, from, from + along * (kStubReach * leaves->distance)});
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
  if (rehang) rehangSideBones(skeleton, deforming, bones, scale, offset);
  bones = withoutPhantoms(bones, rays);
  if (straight) addStraightBones(skeleton, rays, bones, scale, offset);
  const auto children = childrenOf(skeleton);
  const auto vertices = verticesOfPoints(bones, mesh, skeleton.joints.size());
  const StubMaker stubs(mesh, rays);
  for (rig::BoneSegment& s : bones) {
    const auto j = static_cast<std::size_t>(s.joint);
    const int parent = skeleton.joints[j].parent;
    if (hasLength(s) || parent == kNoParent || !children[j].empty()) continue;
    s.b = stubs.end((skeleton.bindPosition(parent) - offset) * scale, s.a, vertices[j]);
  }
  return bones;
}

} // namespace skincells::binding

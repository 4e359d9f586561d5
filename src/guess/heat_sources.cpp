#include "guess/heat_sources.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace skincells::guess {
namespace {

// Distances (relative) and cosines that differ by less are equal: far above the rounding of positions.
constexpr double kTie = 1e-4;

std::size_t index(int joint) {
  return static_cast<std::size_t>(joint);
}

} // namespace

SourceFinder::SourceFinder(const GuessScene& scene, const Skeleton& placed, std::span<const rig::BoneSegment> bones)
    : scene_(scene), bones_(bones), begin_(placed.joints.size()), end_(placed.joints.size()),
      tree_({bones.begin(), bones.end()}) {
  for (std::size_t s = 0; s < bones.size(); ++s) {
    const std::size_t j = index(bones[s].joint);
    if (end_[j] == 0) begin_[j] = s;
    end_[j] = s + 1;
  }
}

SourceFinder::Candidate SourceFinder::candidate(const Vec3d& p, int joint) const {
  Candidate best;
  best.source.distance = INFINITY;
  const bool several = end_[index(joint)] - begin_[index(joint)] > 1;
  for (std::size_t s = begin_[index(joint)]; s < end_[index(joint)]; ++s) {
    const Vec3d bone = bones_[s].b - bones_[s].a;
    const rig::SegmentPoint q = rig::closestOnSegment(p, bones_[s].a, bones_[s].b);
    const double distance = std::sqrt(q.squared_distance);
    if (distance >= best.source.distance) continue;
    const Vec3d foot = q.parameter == 1 ? bones_[s].b : bones_[s].a + bone * q.parameter;
    best.source = {joint, distance, foot, q.parameter > 0 && q.parameter < 1, false, 0};
    // A joint with several bones owns the surface around it in every direction.
    best.ahead = several ? 0 : dot(normalized(p - foot), normalized(q.parameter == 1 ? -bone : bone));
  }
  return best;
}

// Whether a point belongs to `a` rather than to `b`: to the nearer. Where two bones meet, both are equally near to the
// points around their common end; such a point belongs to the bone that turns away less sharply, then to the joint that
// comes first.
bool SourceFinder::precedes(const Candidate& a, const Candidate& b) {
  const double da = a.source.distance, db = b.source.distance;
  if (std::abs(da - db) > kTie * db) return da < db;
  if (std::abs(a.ahead - b.ahead) > kTie) return a.ahead > b.ahead;
  return a.source.joint < b.source.joint;
}

// Best first.
std::vector<SourceFinder::Candidate> SourceFinder::nearest(const Vec3d& p) const {
  std::vector<rig::JointDistance> found;
  tree_.nearestJoints(p, kTuning.candidates, found);
  std::vector<Candidate> candidates;
  for (const rig::JointDistance& f : found) candidates.push_back(candidate(p, f.joint));
  // Insertion sort: "nearly equal distance" is not a strict order, which std::sort needs.
  for (std::size_t i = 1; i < candidates.size(); ++i)
    for (std::size_t k = i; k > 0 && precedes(candidates[k], candidates[k - 1]); --k)
      std::swap(candidates[k], candidates[k - 1]);
  return candidates;
}

SourceFinder::Sight SourceFinder::look(std::uint32_t v, const Vec3d& p, const Source& source) const {
  Sight sight;
  const std::uint32_t island = scene_.islands.island_of_vertex[v];
  scene_.rays.anyHit(p, source.foot, [&](std::uint32_t t) {
    const Triangle& corners = scene_.mesh.triangles[t];
    if (std::ranges::find(corners, v) != corners.end()) return false;
    (scene_.islands.island_of_vertex[corners[0]] == island ? sight.mine : sight.other) = true;
    return sight.mine;
  });
  const mesh::Part& part = scene_.parts[island];
  if (part.nearlyClosed() && source.distance > 0) {
    const double facing = dot(normalized(p - source.foot), scene_.vertices[v].normal);
    sight.outward = (part.signed_volume < 0 ? -facing : facing) < kTuning.facing;
  }
  return sight;
}

Source SourceFinder::find(std::uint32_t v, NearJoints& near) const {
  const Vec3d p = toDouble(scene_.mesh.positions[v]);
  const std::vector<Candidate> candidates = nearest(p);
  near.fill(-1);
  std::ranges::transform(candidates, near.begin(), [](const Candidate& c) { return c.source.joint; });
  Source source = candidates[0].source;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].source.distance > kTuning.farthest_candidate * candidates[0].source.distance) break;
    const Sight sight = look(v, p, candidates[i].source);
    if (!sight.mine && !sight.other && !sight.outward) {
      source = candidates[i].source;
      source.free = true;
      source.trust = 1;
      return source;
    }
    if (i == 0) source.trust = sight.mine || sight.outward ? kTuning.blocked_trust : kTuning.layer_trust;
  }
  return source;
}

BoneView SourceFinder::view(std::uint32_t v, int joint) const {
  const Vec3d p = toDouble(scene_.mesh.positions[v]);
  BoneView out;
  out.distance = INFINITY;
  for (std::size_t s = begin_[index(joint)]; s < end_[index(joint)]; ++s) {
    const Vec3d bone = bones_[s].b - bones_[s].a;
    const rig::SegmentPoint q = rig::closestOnSegment(p, bones_[s].a, bones_[s].b);
    const double distance = std::sqrt(q.squared_distance);
    // Where bones of the joint meet, the longest counts, not the first.
    const bool tie = std::abs(distance - out.distance) <= kTie * distance;
    if (tie ? length(bone) <= out.length : distance >= out.distance) continue;
    const Vec3d axis = normalized(bone);
    out = {distance, bones_[s].a + bone * q.parameter, axis, length(bone), dot(p - bones_[s].a, axis)};
  }
  const Sight sight = look(v, p, {joint, out.distance, out.foot});
  out.mine = sight.mine;
  out.other = sight.other;
  out.outward = sight.outward;
  return out;
}

Source SourceFinder::nearestOf(std::uint32_t v, const std::function<bool(int)>& accept, Source otherwise) const {
  for (const Candidate& c : nearest(toDouble(scene_.mesh.positions[v]))) {
    if (!accept(c.source.joint)) continue;
    Source source = c.source;
    source.trust = kTuning.layer_trust;
    return source;
  }
  otherwise.trust = kTuning.blocked_trust;
  otherwise.free = false;
  return otherwise;
}

} // namespace skincells::guess

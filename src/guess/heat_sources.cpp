#include "guess/heat_sources.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "rig/names/joint_names.h"

namespace skincells::guess {
namespace {

constexpr int kCandidates = 6;
constexpr double kFarthest = 1.5;     // times the nearest joint's distance
constexpr double kBlockedTrust = 0.1; // the way is blocked by the vertex's own part, or leaves it
constexpr double kLayerTrust = 0.3;   // only other parts block it: layers of clothing
constexpr double kStrayTrust = 0.01;
constexpr double kFacing = 0.4;      // cosine of the normal against the way from the bone, at least, to be inside
constexpr double kMostPenalty = 1.2; // a limb never counts as farther away than this times its distance
constexpr double kTie = 1e-9;

std::size_t index(int joint) {
  return static_cast<std::size_t>(joint);
}

} // namespace

SourceFinder::SourceFinder(const GuessScene& scene, const Skeleton& placed, std::span<const rig::BoneSegment> bones)
    : scene_(scene), bones_(bones), begin_(placed.joints.size()), end_(placed.joints.size()),
      flesh_(placed.joints.size(), INFINITY), tree_({bones.begin(), bones.end()}) {
  for (std::size_t s = 0; s < bones.size(); ++s) {
    const std::size_t j = index(bones[s].joint);
    if (end_[j] == 0) begin_[j] = s;
    end_[j] = s + 1;
  }
  measureLimbs(placed);
}

// Limbs are the joints with a side; the spine's flesh is too uneven for a rule.
void SourceFinder::measureLimbs(const Skeleton& placed) {
  const auto names = rig::jointNames(placed);
  parallelChunks(flesh_.size(), 4, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t j = begin; j < end; ++j)
      if (names[j].side != rig::Side::None) flesh_[j] = fleshAround(j);
  });
}

// The upper quartile of how far rays around the far half of a joint's bones run: near its start a limb is inside the
// body, and its own flesh cannot be told from the body's.
double SourceFinder::fleshAround(std::size_t joint) const {
  constexpr int kSteps = 4, kRays = 8;
  constexpr double kRayAngle = 0.7853981633974483; // a full turn / kRays
  std::vector<double> hits;
  for (std::size_t s = begin_[joint]; s < end_[joint]; ++s) {
    const Vec3d bone = bones_[s].b - bones_[s].a, axis = normalized(bone);
    if (dot(bone, bone) == 0) continue;
    const Vec3d u = normalized(cross(axis, std::abs(axis.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
    const Vec3d w = cross(axis, u);
    for (int i = 0; i < kSteps; ++i)
      for (int k = 0; k < kRays; ++k) {
        const Vec3d from = bones_[s].a + bone * (0.5 + 0.5 * (i + 0.5) / kSteps);
        const auto hit = scene_.rays.firstHit(from, u * std::cos(k * kRayAngle) + w * std::sin(k * kRayAngle));
        if (hit) hits.push_back(hit->distance);
      }
  }
  if (hits.size() < kRays) return INFINITY;
  const auto quartile = hits.begin() + static_cast<std::ptrdiff_t>((hits.size() - 1) * 3 / 4);
  std::ranges::nth_element(hits, quartile);
  return *quartile;
}

double SourceFinder::rank(int joint, double distance) const {
  const double beyond = distance - flesh_[index(joint)];
  return beyond > 0 ? std::min(distance + beyond, kMostPenalty * distance) : distance;
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
    // Flesh around a joint with several bones is its own in every direction.
    best.ahead = several ? 0 : dot(normalized(p - foot), normalized(q.parameter == 1 ? -bone : bone));
  }
  best.rank = rank(joint, best.source.distance);
  return best;
}

// Nearest first. Where two bones meet, both are as near to what lies around their common end; it belongs to the one
// that leaves less sharply.
std::vector<SourceFinder::Candidate> SourceFinder::nearest(const Vec3d& p) const {
  std::vector<rig::JointDistance> found;
  tree_.nearestJoints(p, kCandidates, found);
  std::vector<Candidate> candidates;
  for (const rig::JointDistance& f : found) candidates.push_back(candidate(p, f.joint));
  // Insertion by hand: "nearly the same distance" is no strict order, which std::sort would need.
  for (std::size_t i = 1; i < candidates.size(); ++i)
    for (std::size_t k = i; k > 0; --k) {
      const Candidate &a = candidates[k], &b = candidates[k - 1];
      const bool tie = std::abs(a.rank - b.rank) <= kTie * b.rank;
      if (tie ? a.ahead <= b.ahead : a.rank >= b.rank) break;
      std::swap(candidates[k], candidates[k - 1]);
    }
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
    sight.outward = (part.signed_volume < 0 ? -facing : facing) < kFacing;
  }
  return sight;
}

Source SourceFinder::find(std::uint32_t v) const {
  const Vec3d p = toDouble(scene_.mesh.positions[v]);
  const std::vector<Candidate> candidates = nearest(p);
  Source source = candidates[0].source;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].rank > kFarthest * candidates[0].rank) break;
    const Sight sight = look(v, p, candidates[i].source);
    if (!sight.mine && !sight.other && !sight.outward) {
      source = candidates[i].source;
      source.free = true;
      source.trust = 1;
      return source;
    }
    if (i == 0) source.trust = sight.mine || sight.outward ? kBlockedTrust : kLayerTrust;
  }
  return source;
}

Source SourceFinder::nearestOf(std::uint32_t v, const std::function<bool(int)>& accept, Source otherwise) const {
  for (const Candidate& c : nearest(toDouble(scene_.mesh.positions[v]))) {
    if (!accept(c.source.joint)) continue;
    Source source = c.source;
    source.trust = kLayerTrust;
    return source;
  }
  otherwise.trust = kStrayTrust;
  otherwise.free = false;
  return otherwise;
}

} // namespace skincells::guess

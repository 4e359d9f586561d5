#include "bind/surface_guess.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "baseline/segment_tree.h"
#include "bind/accessories.h"
#include "bind/bone_rules.h"
#include "bind/stray_patches.h"
#include "mesh/ray_query.h"
#include "mesh/surface_measure.h"
#include "rig/joint_names.h"

namespace skincells::binding {
namespace {

struct Candidate {
  int joint = -1;
  double distance = 0;
  Vec3d foot;
  double ahead = 0; // cosine of the way from the foot to the vertex against the bone
  double rank = 0;
  bool interior = false; // the foot is not an end of the bone
};

struct Sight {
  bool hit = false, mine = false, outward = false;
  bool free() const { return !hit && !outward; }
};

struct Source {
  Candidate at;
  double trust = 0;
  bool free = false;
};

// The mesh, its measures and the bones, at guess size.
struct Scene {
  Mesh mesh;
  double scale = 1;
  Vec3d offset;
  Islands islands;
  std::vector<mesh::Part> parts;
  std::vector<mesh::VertexMeasure> vertices;
};

Scene makeScene(const Mesh& welded) {
  Scene s;
  const Box box = welded.bounds();
  const Vec3d size = box.size();
  const double side = std::max({size.x, size.y, size.z});
  s.scale = side > 0 ? kGuessSize / side : 1;
  s.offset = box.center();
  s.mesh.triangles = welded.triangles;
  for (const Vec3f& p : welded.positions) s.mesh.positions.push_back(toFloat((toDouble(p) - s.offset) * s.scale));
  s.islands = findIslands(s.mesh);
  s.parts = mesh::measureParts(s.mesh, s.islands);
  s.vertices = mesh::measureVertices(s.mesh);
  return s;
}

class SourceFinder {
public:
  SourceFinder(const Scene& scene, const mesh::RayQuery& rays, const std::vector<rig::BoneSegment>& bones,
               std::size_t joint_count, const std::vector<rig::JointName>& names, const GuessOptions& options)
      : scene_(scene), rays_(rays), bones_(bones), first_(joint_count + 1), tree_(bones), options_(options) {
    // Segments of a joint stand together, joints in any order.
    std::fill(first_.begin(), first_.end(), 0);
    begin_.assign(joint_count, 0);
    end_.assign(joint_count, 0);
    for (std::size_t s = 0; s < bones.size(); ++s) {
      const auto j = static_cast<std::size_t>(bones[s].joint);
      if (end_[j] == 0) begin_[j] = s;
      end_[j] = s + 1;
    }
    radius_.assign(joint_count, INFINITY);
    if (options.x1 > 0)
      for (std::size_t j = 0; j < joint_count; ++j) {
        if (names[j].side == rig::Side::None) continue;
        std::vector<double> hits;
        for (std::size_t s = begin_[j]; s < end_[j]; ++s) {
          const Vec3d bone = bones[s].b - bones[s].a;
          if (dot(bone, bone) == 0) continue;
          const Vec3d axis = normalized(bone);
          const Vec3d u = normalized(cross(axis, std::abs(axis.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0})),
                      w = cross(axis, u);
          for (int i = 0; i < 4; ++i)
            for (int k = 0; k < 8; ++k) {
              const double a = k * 0.785398163, t = options.x3 + (1 - options.x3) * (i + 0.5) / 4;
              const auto h = rays.firstHit(bones[s].a + bone * t, u * std::cos(a) + w * std::sin(a));
              if (h) hits.push_back(h->distance);
            }
        }
        if (hits.size() < 8) continue;
        std::ranges::sort(hits);
        radius_[j] = hits[static_cast<std::size_t>(double(hits.size() - 1) * options.x4)];
      }
  }

  Source find(std::uint32_t v) const {
    const Vec3d p = toDouble(scene_.mesh.positions[v]);
    const std::vector<Candidate> candidates = nearest(p);
    Sight first;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const Candidate& c = candidates[i];
      if (c.rank > options_.reach * candidates[0].rank + 1e-9) break;
      const Sight sight = look(v, p, c);
      if (sight.free()) return {c, 1, true};
      if (i == 0) first = sight;
    }
    return {candidates[0], first.mine || first.outward ? options_.blocked_trust : options_.layer_trust, false};
  }

  // The nearest joint that `accept` accepts, seen or not, with the trust of a blocked one.
  template <class Accept> Source near(std::uint32_t v, const Accept& accept, Source otherwise) const {
    for (const Candidate& c : nearest(toDouble(scene_.mesh.positions[v])))
      if (accept(c.joint)) return {c, options_.layer_trust, false};
    otherwise.trust = 0.01;
    otherwise.free = false;
    return otherwise;
  }

private:
  std::vector<Candidate> nearest(const Vec3d& p) const {
    std::vector<baseline::JointDistance> found;
    tree_.nearestJoints(p, options_.candidates, found);
    std::vector<Candidate> candidates;
    for (const auto& f : found) candidates.push_back(candidate(p, f.joint));
    if (options_.x1 > 0) {
      for (Candidate& c : candidates) {
        const double limit = options_.x1 * radius_[static_cast<std::size_t>(c.joint)];
        c.rank = c.distance > limit
                     ? std::min(c.distance + options_.x2 * (c.distance - limit), options_.x5 * c.distance)
                     : c.distance;
      }
    }
    if (options_.mode & 1)
      std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
        return a.rank < b.rank * (1 - 1e-9) || (a.rank <= b.rank * (1 + 1e-9) && a.ahead > b.ahead);
      });
    return candidates;
  }

  Candidate candidate(const Vec3d& p, int joint) const {
    Candidate best{joint, INFINITY, {}, -2, 0, false};
    for (std::size_t s = begin_[static_cast<std::size_t>(joint)]; s < end_[static_cast<std::size_t>(joint)]; ++s) {
      const rig::SegmentPoint q = rig::closestOnSegment(p, bones_[s].a, bones_[s].b);
      const double d = std::sqrt(q.squared_distance);
      const Vec3d bone = bones_[s].b - bones_[s].a,
                  foot = q.parameter == 1 ? bones_[s].b : bones_[s].a + bone * q.parameter;
      const double ahead =
          end_[static_cast<std::size_t>(joint)] - begin_[static_cast<std::size_t>(joint)] > 1 && (options_.mode & 2)
              ? 0
              : dot(normalized(p - foot), normalized(q.parameter == 1 ? -bone : bone));
      if (d < best.distance || (d == best.distance && ahead > best.ahead))
        best = {joint, d, foot, ahead, d, q.parameter > 0 && q.parameter < 1};
    }
    return best;
  }

  Sight look(std::uint32_t v, const Vec3d& p, const Candidate& c) const {
    Sight sight;
    const std::uint32_t island = scene_.islands.island_of_vertex[v];
    const mesh::Part& part = scene_.parts[island];
    bool other = false, mine = false;
    rays_.anyHit(p, c.foot, [&](std::uint32_t t) {
      const Triangle& corners = scene_.mesh.triangles[t];
      if (corners[0] == v || corners[1] == v || corners[2] == v) return false;
      (scene_.islands.island_of_vertex[corners[0]] == island ? mine : other) = true;
      return mine;
    });
    sight.hit = mine || other;
    sight.mine = mine;
    if (((options_.mode & 4) || part.nearlyClosed()) && c.distance > 0) {
      const double facing = part.signed_volume < 0 ? -1 : 1;
      sight.outward = facing * dot(normalized(p - c.foot), scene_.vertices[v].normal) < 0.2;
    }
    return sight;
  }

  const Scene& scene_;
  const mesh::RayQuery& rays_;
  const std::vector<rig::BoneSegment>& bones_;
  std::vector<std::size_t> first_, begin_, end_;
  std::vector<double> radius_;
  baseline::SegmentTree tree_;
  const GuessOptions& options_;
};

} // namespace

Guess guessOnSurface(const Mesh& welded, const Skeleton& skeleton, std::span<const int> deforming,
                     std::span<const int> misplaced, const GuessOptions& options) {
  const Scene scene = makeScene(welded);
  const mesh::RayQuery rays(scene.mesh);
  const auto bones = fleshBones(skeleton, deforming, misplaced, scene.mesh, rays, scene.scale, scene.offset);
  const SourceFinder finder(scene, rays, bones, skeleton.joints.size(), rig::jointNames(skeleton), options);
  const std::size_t count = scene.mesh.positions.size();
  std::vector<Source> sources(count);
  parallelChunks(count, 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) sources[v] = finder.find(static_cast<std::uint32_t>(v));
  });

  auto edges = mesh::cotangentWeights(scene.mesh);
  for (auto& e : edges) e.weight = std::clamp(e.weight, 1e-3, 10.0);
  if (options.x6 > 0) {
    std::vector<int> joints(count);
    for (std::size_t v = 0; v < count; ++v) joints[v] = sources[v].at.joint;
    const Patches patches = findPatches(edges, joints, scene.vertices, scene.islands.island_of_vertex, skeleton);
    for (std::size_t v = 0; v < count; ++v) {
      const Patch& patch = patches.patches[patches.patch_of_vertex[v]];
      if (patch.stray)
        sources[v] = finder.near(
            static_cast<std::uint32_t>(v),
            [&](int j) {
              return std::ranges::any_of(patch.neighbours, [&](int n) { return areKin(skeleton, n, j); }) &&
                     j != patch.joint;
            },
            sources[v]);
    }
  }

  double total_area = 0;
  for (const auto& v : scene.vertices) total_area += v.area;
  const double least_area = total_area > 0 ? 1e-6 * total_area / double(count) : 1;
  std::vector<HeatSource> heat(count);
  Guess guess;
  for (std::size_t v = 0; v < count; ++v) {
    const double d = std::max(sources[v].at.distance, options.min_distance);
    heat[v] = {sources[v].at.joint,
               std::max(scene.vertices[v].area, least_area) * sources[v].trust * options.heat / (d * d)};
    guess.source.push_back(sources[v].at.joint);
    guess.trust.push_back(static_cast<float>(sources[v].trust));
    if (sources[v].free && sources[v].at.interior)
      guess.springs.push_back(
          {static_cast<std::uint32_t>(v), sources[v].at.joint, sources[v].at.foot * (1 / scene.scale) + scene.offset});
  }
  guess.weights = solveHeat(edges, heat, options.max_influences);
  for (std::size_t v = 0; v < count; ++v) {
    double sum = 0;
    for (float& w : guess.weights.weightRow(v)) sum += w = static_cast<float>(std::pow(static_cast<double>(w), 1.2));
    if (sum > 0)
      for (float& w : guess.weights.weightRow(v)) w = static_cast<float>(w / sum);
  }
  const auto children = childrenOf(skeleton);
  std::vector<rig::BoneSegment> leaves;
  for (const auto& b : bones)
    if (children[static_cast<std::size_t>(b.joint)].empty()) leaves.push_back(b);
  if (!getenv("NOACC")) followHosts(scene.mesh, scene.islands, scene.parts, bones, leaves, guess.weights);
  guess.bones = bones;
  for (auto& b : guess.bones)
    b.a = b.a * (1 / scene.scale) + scene.offset, b.b = b.b * (1 / scene.scale) + scene.offset;
  return guess;
}

} // namespace skincells::binding

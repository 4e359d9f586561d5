#include "guess/surface_guess.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/assert.h"
#include "base/parallel.h"
#include "guess/cut_chains.h"
#include "guess/guess_scene.h"
#include "guess/heat_solve.h"
#include "guess/heat_sources.h"
#include "guess/prior/confidence.h"
#include "guess/rigid_parts.h"
#include "guess/stray_patches.h"
#include "guess/surface_bones.h"
#include "guess/symmetry.h"
#include "guess/tuning.h"
#include "mesh/simplify.h"
#include "weights/interpolate.h"

namespace skincells::guess {
namespace {

// near: by vertex, out.
std::vector<Source> findSources(const GuessScene& scene, const Skeleton& placed, const SourceFinder& finder,
                                std::vector<NearJoints>& near) {
  const std::size_t count = scene.mesh.positions.size();
  std::vector<Source> sources(count);
  near.resize(count);
  parallelChunks(count, 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) sources[v] = finder.find(static_cast<std::uint32_t>(v), near[v]);
  });
  std::vector<int> joints;
  for (const Source& s : sources) joints.push_back(s.joint);
  const Patches found = findPatches(scene, joints, placed);
  for (std::uint32_t v = 0; v < count; ++v) {
    const Patch& patch = found.patches[found.patch_of_vertex[v]];
    if (!patch.stray) continue;
    const auto fits = [&](int joint) {
      return joint != patch.joint &&
             std::ranges::any_of(patch.neighbors, [&](int n) { return areRelated(placed, n, joint); });
    };
    sources[v] = finder.nearestOf(v, fits, sources[v]);
  }
  return sources;
}

std::vector<HeatSource> heatSources(const GuessScene& scene, std::span<const Source> sources) {
  double total_area = 0;
  for (const mesh::VertexMeasure& v : scene.vertices) total_area += v.area;
  // A floor keeps the system regular where vertices have no area.
  const double least_area = total_area > 0 ? 1e-6 * total_area / static_cast<double>(sources.size()) : 1;
  std::vector<HeatSource> heat(sources.size());
  for (std::size_t v = 0; v < sources.size(); ++v) {
    const double d = std::max(sources[v].distance, kLeastDistance);
    heat[v] = {sources[v].joint,
               std::max(scene.vertices[v].area, least_area) * sources[v].trust * kTuning.heat / (d * d)};
  }
  return heat;
}

mesh::Clustered simplified(const Mesh& welded) {
  const Vec3d size = welded.bounds().size();
  return mesh::clusterVertices(welded,
                               std::max({size.x, size.y, size.z}) * (kTuning.cluster_size / mesh::kCharacterSize),
                               kTuning.most_simple_vertices);
}

void describeSources(const GuessScene& scene, std::span<const Source> sources, Guess& guess) {
  for (std::uint32_t v = 0; v < sources.size(); ++v) {
    const Source& s = sources[v];
    guess.source.push_back(s.joint);
    guess.trust.push_back(static_cast<float>(s.trust));
    if (s.free && s.interior_foot) guess.springs.push_back({v, s.joint, scene.fromScene(s.foot)});
  }
}

// The member of each cluster that is nearest to its center; of several equally near, the first.
std::vector<std::uint32_t> representatives(const mesh::Clustered& simple, const Mesh& welded) {
  constexpr double kNearer = 0.999; // both members of a pair are equally near, but for rounding
  const std::size_t count = simple.mesh.positions.size();
  std::vector<std::uint32_t> representative(count);
  std::vector<double> nearest(count, INFINITY);
  for (std::uint32_t v = 0; v < simple.cluster_of_vertex.size(); ++v) {
    const std::uint32_t c = simple.cluster_of_vertex[v];
    const double distance = length(toDouble(welded.positions[v]) - toDouble(simple.mesh.positions[c]));
    if (distance >= nearest[c] * kNearer) continue;
    nearest[c] = distance;
    representative[c] = v;
  }
  return representative;
}

// The guess of a simplified mesh from that of the full one.
Guess condensed(const Guess& full, const mesh::Clustered& simple, const Mesh& welded) {
  Guess out;
  const std::size_t count = simple.mesh.positions.size();
  out.weights = weights::averagedWeights(simple, full.weights);
  out.bones = full.bones;
  out.symmetry = full.symmetry;
  out.source.resize(count, -1);
  out.trust.resize(count);
  const std::vector<std::uint32_t> representative = representatives(simple, welded);
  for (std::size_t c = 0; c < count; ++c) {
    out.source[c] = full.source[representative[c]];
    out.trust[c] = full.trust[representative[c]];
  }
  for (const rig::BoneSpring& s : full.springs) {
    const std::uint32_t c = simple.cluster_of_vertex[s.vertex];
    if (representative[c] == s.vertex) out.springs.push_back({c, s.joint, s.anchor});
  }
  std::ranges::sort(out.springs, {}, &rig::BoneSpring::vertex);
  return out;
}

// Parts of a simplified mesh, with the vertices that were clustered.
std::vector<RigidPart> expanded(std::vector<RigidPart> parts, const mesh::Clustered& simple) {
  std::vector<std::size_t> part_of_cluster(simple.mesh.positions.size(), parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::uint32_t c : parts[p].vertices) part_of_cluster[c] = p;
    parts[p].vertices.clear();
  }
  for (std::uint32_t v = 0; v < simple.cluster_of_vertex.size(); ++v)
    if (const std::size_t p = part_of_cluster[simple.cluster_of_vertex[v]]; p < parts.size())
      parts[p].vertices.push_back(v);
  return parts;
}

// The same options for a simplified mesh.
GuessOptions onSimple(GuessOptions options, const mesh::Clustered& simple) {
  if (options.bends.empty()) return options;
  std::vector<bool> bends(simple.mesh.positions.size());
  for (std::size_t v = 0; v < options.bends.size(); ++v)
    if (options.bends[v]) bends[simple.cluster_of_vertex[v]] = true;
  options.bends = std::move(bends);
  return options;
}

Skeleton joined(const GuessScene& scene, const rig::DeformRig& rig) {
  Skeleton placed = scene.place(rig.skeleton);
  joinCutChains(placed, rig, scene);
  return placed;
}

using GoOn = std::function<bool()>;

bool isWanted(const GoOn& go_on) {
  return !go_on || go_on();
}

// The heat on a surface, and all that it was solved with. Without heat if it is not wanted any more.
struct SurfaceSolution {
  SurfaceSolution(const Mesh& welded, const rig::DeformRig& rig, int slots, const GoOn& go_on = {})
      : scene(welded), placed(joined(scene, rig)), placed_rig{placed, rig.deforming, rig.misplaced},
        bones(surfaceBones(placed_rig, scene.mesh, scene.rays)), finder(scene, placed, bones),
        sources(findSources(scene, placed, finder, near)),
        heat(isWanted(go_on) ? solveHeat(scene.edges, heatSources(scene, sources), slots) : SparseWeights{}) {
    SKINCELLS_ASSERT(!rig.deforming.empty() && slots > 0);
  }
  SurfaceSolution(const SurfaceSolution&) = delete; // members refer to each other
  SurfaceSolution& operator=(const SurfaceSolution&) = delete;

  GuessScene scene;
  Skeleton placed; // in the scene, as are the bones
  rig::DeformRig placed_rig;
  std::vector<rig::BoneSegment> bones;
  SourceFinder finder;
  std::vector<NearJoints> near; // by vertex, as are the sources
  std::vector<Source> sources;
  SparseWeights heat; // one row per vertex
};

// The values of clusters, for the vertices that were clustered.
std::vector<float> gathered(const std::vector<float>& values, const std::vector<std::uint32_t>& cluster_of_vertex) {
  std::vector<float> out;
  if (!values.empty())
    for (std::uint32_t c : cluster_of_vertex) out.push_back(values[c]);
  return out;
}

// A mesh as its own simplification.
mesh::Clustered unchanged(const Mesh& mesh) {
  mesh::Clustered out{mesh, std::vector<std::uint32_t>(mesh.positions.size())};
  std::iota(out.cluster_of_vertex.begin(), out.cluster_of_vertex.end(), 0U);
  return out;
}

// welded: the mesh of the solution, in bind space. simple: made from it.
PriorFeatures featuresOf(const SurfaceSolution& solution, const Mesh& welded, const mesh::Clustered& simple) {
  const GuessScene& scene = solution.scene;
  return priorFeatures({scene, solution.finder, solution.placed_rig, solution.bones, solution.sources, solution.near,
                        mesh::inSpace(simple.mesh, {scene.offset, scene.scale}), representatives(simple, welded),
                        weights::averagedWeights(simple, solution.heat)});
}

// A guess with these weights: adds rigid parts, symmetry and bones. placed, bones: in the scene. heat: see
// bindRigidParts.
Guess withParts(const GuessScene& scene, const rig::DeformRig& placed, std::span<const rig::BoneSegment> bones,
                const SparseWeights& heat, SparseWeights weights, const GuessOptions& options) {
  Guess guess;
  guess.weights = std::move(weights);
  guess.rigid_parts = bindRigidParts(scene, placed.skeleton, bones, heat, options.bends, guess.weights);
  if (options.symmetry) guess.symmetry = findSymmetry(scene, placed.skeleton, placed.deforming);
  if (guess.symmetry) {
    averageWithMirror(scene, *guess.symmetry, guess.weights);
    guess.symmetry->images.clear(); // of use for this mesh alone
    levelRigidParts(guess.rigid_parts, guess.weights);
    guess.symmetry->offset = guess.symmetry->offset / scene.scale + dot(guess.symmetry->normal, scene.offset);
  }
  for (const rig::BoneSegment& b : bones) guess.bones.push_back({b.joint, scene.fromScene(b.a), scene.fromScene(b.b)});
  return guess;
}

// rows: the weights, one per vertex.
Guess completed(const SurfaceSolution& solution, SparseWeights rows, const GuessOptions& options) {
  Guess guess = withParts(solution.scene, solution.placed_rig, solution.bones, solution.heat, std::move(rows), options);
  describeSources(solution.scene, solution.sources, guess);
  return guess;
}

// simple: made from `welded`; the prior corrects one row per vertex of it. Empty if it is not wanted any more.
Guess guessWithPrior(const Mesh& welded, const mesh::Clustered& simple, const rig::DeformRig& rig,
                     const GuessOptions& options) {
  if (options.prior == nullptr) return guessOnSurface(welded, rig, options);
  const SurfaceSolution solution(welded, rig, kCandidates, options.go_on);
  if (!isWanted(options.go_on)) return {};
  const PriorFeatures features = featuresOf(solution, welded, simple);
  if (!isWanted(options.go_on)) return {};
  const SparseWeights rows = options.prior->weights(features, options.max_influences);
  if (!isWanted(options.go_on)) return {};
  Guess guess = completed(solution, gatherRows(rows, simple.cluster_of_vertex), options);
  guess.confidence = gathered(confidenceOf(simple.mesh, rig, rows), simple.cluster_of_vertex);
  return guess;
}

} // namespace

Guess guessOnSurface(const Mesh& welded, const rig::DeformRig& rig, const GuessOptions& options) {
  const SurfaceSolution solution(welded, rig, options.max_influences);
  return completed(solution, solution.heat, options);
}

Guess guessWeights(const Mesh& welded, const rig::DeformRig& rig, const GuessOptions& options) {
  if (welded.vertexCount() <= kTuning.largest_full_mesh) return guessOnSurface(welded, rig, options);
  const mesh::Clustered simple = simplified(welded);
  Guess guess = guessOnSurface(simple.mesh, rig, onSimple(options, simple));
  guess.weights = weights::transferWeights(simple, guess.weights, welded.positions);
  guess.rigid_parts = expanded(std::move(guess.rigid_parts), simple);
  return guess;
}

CoarseGuess guessForField(const Mesh& welded, const rig::DeformRig& rig, const GuessOptions& options) {
  mesh::Clustered simple = simplified(welded);
  if (!isWanted(options.go_on)) return {};
  CoarseGuess out;
  if (welded.vertexCount() > kTuning.largest_full_mesh) {
    out.guess = guessWithPrior(simple.mesh, unchanged(simple.mesh), rig, onSimple(options, simple));
    if (!isWanted(options.go_on)) return {};
    out.rigid = rigidRows(out.guess.rigid_parts, out.guess.weights);
    std::vector<RigidPart> parts = expanded(out.guess.rigid_parts, simple);
    for (std::size_t p = 0; p < parts.size(); ++p) out.rigid[p].part = std::move(parts[p]);
    out.confidence = gathered(out.guess.confidence, simple.cluster_of_vertex);
  } else {
    const Guess full = guessWithPrior(welded, simple, rig, options);
    if (!isWanted(options.go_on)) return {};
    out.guess = condensed(full, simple, welded);
    out.rigid = rigidRows(full.rigid_parts, full.weights);
    out.confidence = full.confidence;
  }
  out.mesh = std::move(simple.mesh);
  return out;
}

CoarseGuess coarseGuessFrom(const Mesh& welded, const rig::DeformRig& rig, const SparseWeights& rows,
                            std::span<const float> trust, const GuessOptions& options) {
  const GuessScene scene(welded);
  const Skeleton placed = scene.place(rig.skeleton);
  const rig::DeformRig placed_rig{placed, rig.deforming, rig.misplaced};
  Guess full = withParts(scene, placed_rig, rig::boneSegments(placed_rig), rows, rows, options);
  full.trust.assign(trust.begin(), trust.end());
  full.source.assign(welded.positions.size(), -1);
  mesh::Clustered simple = simplified(welded);
  CoarseGuess out;
  out.guess = condensed(full, simple, welded);
  out.rigid = rigidRows(full.rigid_parts, full.weights);
  out.mesh = std::move(simple.mesh);
  return out;
}

PriorView viewForPrior(const Mesh& welded, const rig::DeformRig& rig) {
  PriorView view{simplified(welded), {}};
  if (welded.vertexCount() > kTuning.largest_full_mesh)
    view.features =
        featuresOf(SurfaceSolution(view.simple.mesh, rig, kCandidates), view.simple.mesh, unchanged(view.simple.mesh));
  else
    view.features = featuresOf(SurfaceSolution(welded, rig, kCandidates), welded, view.simple);
  return view;
}

} // namespace skincells::guess

#include "guess/surface_guess.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"
#include "guess/guess_scene.h"
#include "guess/heat_solve.h"
#include "guess/heat_sources.h"
#include "guess/rigid_parts.h"
#include "guess/stray_patches.h"
#include "guess/surface_bones.h"
#include "guess/symmetry.h"
#include "guess/tuning.h"
#include "mesh/simplify.h"
#include "weights/interpolate.h"

namespace skincells::guess {
namespace {

std::vector<Source> findSources(const GuessScene& scene, const Skeleton& placed,
                                std::span<const rig::BoneSegment> bones) {
  const SourceFinder finder(scene, placed, bones);
  const std::size_t count = scene.mesh.positions.size();
  std::vector<Source> sources(count);
  parallelChunks(count, 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) sources[v] = finder.find(static_cast<std::uint32_t>(v));
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
    const double d = std::max(sources[v].distance, kTuning.least_distance);
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

void sharpen(SparseWeights& weights) {
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
    double sum = 0;
    for (float& w : weights.weightRow(v)) {
      w = static_cast<float>(std::pow(static_cast<double>(w), kTuning.sharpness));
      sum += static_cast<double>(w);
    }
    for (float& w : weights.weightRow(v)) w = static_cast<float>(static_cast<double>(w) / sum);
  }
}

void describeSources(const GuessScene& scene, std::span<const Source> sources, Guess& guess) {
  for (std::uint32_t v = 0; v < sources.size(); ++v) {
    const Source& s = sources[v];
    guess.source.push_back(s.joint);
    guess.trust.push_back(static_cast<float>(s.trust));
    if (s.free && s.interior_foot) guess.springs.push_back({v, s.joint, scene.fromScene(s.foot)});
  }
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
  // The member nearest to the center represents the cluster.
  std::vector<std::uint32_t> representative(count);
  std::vector<double> nearest(count, INFINITY);
  for (std::uint32_t v = 0; v < simple.cluster_of_vertex.size(); ++v) {
    const std::uint32_t c = simple.cluster_of_vertex[v];
    const double distance = length(toDouble(welded.positions[v]) - toDouble(simple.mesh.positions[c]));
    if (distance >= nearest[c]) continue;
    nearest[c] = distance;
    representative[c] = v;
  }
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

// The rows of parts of a simplified mesh, for the vertices that were clustered. A simplified mesh does not show
// reliably what a part touches: accessories get the mean of their own rows.
std::vector<RigidRow> expanded(std::vector<RigidRow> rows, const mesh::Clustered& simple) {
  std::vector<std::size_t> row_of_cluster(simple.mesh.positions.size(), rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::uint32_t c : rows[r].part.vertices) row_of_cluster[c] = r;
    rows[r].part.vertices.clear();
    if (rows[r].part.kind == RigidKind::Accessory) rows[r].part.kind = RigidKind::Stiff;
  }
  for (std::uint32_t v = 0; v < simple.cluster_of_vertex.size(); ++v)
    if (const std::size_t r = row_of_cluster[simple.cluster_of_vertex[v]]; r < rows.size())
      rows[r].part.vertices.push_back(v);
  return rows;
}

} // namespace

Guess guessOnSurface(const Mesh& welded, const rig::DeformRig& rig, const GuessOptions& options) {
  SKINCELLS_ASSERT(!rig.deforming.empty() && options.max_influences > 0);
  const GuessScene scene(welded);
  const Skeleton placed = scene.place(rig.skeleton);
  Guess guess;
  guess.bones = surfaceBones({placed, rig.deforming, rig.misplaced}, scene.mesh, scene.rays);
  const std::vector<Source> sources = findSources(scene, placed, guess.bones);
  guess.weights = solveHeat(scene.edges, heatSources(scene, sources), options.max_influences);
  sharpen(guess.weights);
  guess.rigid_parts = bindRigidParts(scene, placed, guess.bones, guess.weights);
  if (options.symmetry) guess.symmetry = findSymmetry(scene, placed, rig.deforming);
  if (guess.symmetry) {
    averageWithMirror(scene, *guess.symmetry, guess.weights);
    levelRigidParts(guess.rigid_parts, guess.weights);
    guess.symmetry->offset = guess.symmetry->offset / scene.scale + dot(guess.symmetry->normal, scene.offset);
  }
  describeSources(scene, sources, guess);
  for (rig::BoneSegment& b : guess.bones) {
    b.a = scene.fromScene(b.a);
    b.b = scene.fromScene(b.b);
  }
  return guess;
}

Guess guessWeights(const Mesh& welded, const rig::DeformRig& rig, const GuessOptions& options) {
  if (welded.vertexCount() <= kTuning.largest_full_mesh) return guessOnSurface(welded, rig, options);
  const mesh::Clustered simple = simplified(welded);
  Guess guess = guessOnSurface(simple.mesh, rig, options);
  guess.weights = weights::transferWeights(simple, guess.weights, welded.positions);
  return guess;
}

CoarseGuess guessForField(const Mesh& welded, const rig::DeformRig& rig, const GuessOptions& options) {
  mesh::Clustered simple = simplified(welded);
  if (welded.vertexCount() > kTuning.largest_full_mesh) {
    CoarseGuess out;
    out.guess = guessOnSurface(simple.mesh, rig, options);
    out.rigid = expanded(rigidRows(out.guess.rigid_parts, out.guess.weights), simple);
    out.mesh = std::move(simple.mesh);
    return out;
  }
  const Guess full = guessOnSurface(welded, rig, options);
  CoarseGuess out;
  out.guess = condensed(full, simple, welded);
  out.mesh = std::move(simple.mesh);
  out.rigid = rigidRows(full.rigid_parts, full.weights);
  return out;
}

} // namespace skincells::guess

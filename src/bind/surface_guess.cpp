#include "bind/surface_guess.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"
#include "bind/accessories.h"
#include "bind/bone_rules.h"
#include "bind/guess_scene.h"
#include "bind/heat_solve.h"
#include "bind/heat_sources.h"
#include "bind/stray_patches.h"
#include "bind/weight_transfer.h"
#include "mesh/simplify.h"

namespace skincells::binding {
namespace {

constexpr double kHeat = 4;                   // how firmly a vertex is held, at distance 1 and full trust
constexpr double kLeastDistance = 0.3;        // vertices nearer to a bone are held no firmer
constexpr double kSharpness = 1.2;            // heat has longer tails than artists' weights
constexpr double kClusterSize = 2;            // of kGuessSize
constexpr std::uint32_t kLargestFull = 20000; // vertices; beyond, the guess is made on a simplified mesh
constexpr std::uint32_t kMostSimple = 50000;  // vertices of a simplified mesh: characters have a third, soups no end

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
             std::ranges::any_of(patch.neighbours, [&](int n) { return areKin(placed, n, joint); });
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
    heat[v] = {sources[v].joint, std::max(scene.vertices[v].area, least_area) * sources[v].trust * kHeat / (d * d)};
  }
  return heat;
}

mesh::Clustered simplified(const Mesh& welded) {
  const Vec3d size = welded.bounds().size();
  return mesh::clusterVertices(welded, std::max({size.x, size.y, size.z}) * (kClusterSize / kGuessSize), kMostSimple);
}

void sharpen(SparseWeights& weights) {
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
    double sum = 0;
    for (float& w : weights.weightRow(v)) {
      w = static_cast<float>(std::pow(static_cast<double>(w), kSharpness));
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

} // namespace

Guess guessOnSurface(const Mesh& welded, const Skeleton& skeleton, std::span<const int> deforming,
                     std::span<const int> misplaced, const GuessOptions& options) {
  SKINCELLS_ASSERT(!deforming.empty() && options.max_influences > 0);
  const GuessScene scene(welded);
  const Skeleton placed = scene.place(skeleton);
  Guess guess;
  guess.bones = fleshBones(placed, deforming, misplaced, scene.mesh, scene.rays);
  const std::vector<Source> sources = findSources(scene, placed, guess.bones);
  guess.weights = solveHeat(scene.edges, heatSources(scene, sources), options.max_influences);
  sharpen(guess.weights);
  bindRigidParts(scene, placed, guess.bones, guess.weights);
  describeSources(scene, sources, guess);
  for (rig::BoneSegment& b : guess.bones) b.a = scene.fromScene(b.a), b.b = scene.fromScene(b.b);
  return guess;
}

SparseWeights guessWeights(const Mesh& welded, const Skeleton& skeleton, std::span<const int> deforming,
                           std::span<const int> misplaced, const GuessOptions& options) {
  if (welded.vertexCount() <= kLargestFull)
    return guessOnSurface(welded, skeleton, deforming, misplaced, options).weights;
  const mesh::Clustered simple = simplified(welded);
  const Guess guess = guessOnSurface(simple.mesh, skeleton, deforming, misplaced, options);
  return transferWeights(simple, guess.weights, welded.positions);
}

Mesh simplifiedForGuess(const Mesh& welded) {
  return simplified(welded).mesh;
}

} // namespace skincells::binding

#include <algorithm>

#include "base/assert.h"
#include "base/parallel.h"
#include "deform/lbs.h"
#include "metrics/prepared_skin.h"
#include "metrics/samples.h"
#include "metrics/shape_meter.h"
#include "skincells/metrics.h"
#include "weights/rows_edit.h"

namespace skincells {
namespace {

constexpr std::size_t kChunk = 4096;

double meanHalfL1(const SparseWeights& a, const SparseWeights& b) {
  if (a.vertexCount() == 0) return 0;
  const double sum = orderedSum(a.vertexCount(), kChunk, 0.0, [&](std::size_t begin, std::size_t end) {
    double part = 0;
    for (std::size_t v = begin; v < end; ++v) part += weights::halfL1(weights::rowOf(a, v), weights::rowOf(b, v));
    return part;
  });
  return sum / static_cast<double>(a.vertexCount());
}

void addDistances(std::span<const Vec3f> a, std::span<const Vec3f> b, metrics::Samples& samples) {
  const std::span<float> out = samples.extend(a.size());
  parallelChunks(a.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) out[v] = static_cast<float>(length(toDouble(a[v]) - toDouble(b[v])));
  });
}

PoseSetComparison compareInPoses(const Mesh& mesh, const metrics::WeldedSurface& surface,
                                 const SparseWeights& reference, const SparseWeights& candidate, const PoseSet& set) {
  metrics::Samples distances;
  distances.reserve(set.poses.size() * mesh.positions.size());
  metrics::ShapeMeter shape(surface, candidate);
  std::vector<Vec3f> wanted(mesh.positions.size()), posed(mesh.positions.size());
  for (const Pose& pose : set.poses) {
    deform::skin(mesh.positions, reference, pose, wanted);
    deform::skin(mesh.positions, candidate, pose, posed);
    addDistances(wanted, posed, distances);
    shape.add(pose, posed);
  }
  const double diagonal = mesh.bounds().diagonal(), percent = diagonal > 0 ? 100 / diagonal : 0;
  PoseSetComparison result;
  result.label = set.label;
  result.pose_count = static_cast<int>(set.poses.size());
  result.error = {distances.rms() * percent, distances.percentile(0.95) * percent, distances.max() * percent};
  result.shape = shape.statistics();
  return result;
}

} // namespace

ShapeStatistics shapeStatistics(const Mesh& mesh, const SparseWeights& weights, const std::vector<Pose>& poses) {
  SKINCELLS_ASSERT(weights.vertexCount() == mesh.positions.size());
  const metrics::PreparedSkin skin(mesh, weights);
  const metrics::WeldedSurface surface(mesh);
  metrics::ShapeMeter shape(surface, skin.weights);
  std::vector<Vec3f> posed(mesh.positions.size());
  for (const Pose& pose : poses) {
    deform::skin(mesh.positions, skin.weights, pose, posed);
    shape.add(pose, posed);
  }
  return shape.statistics();
}

Comparison compareWeights(const Mesh& mesh, const SparseWeights& reference, const SparseWeights& candidate,
                          const std::vector<PoseSet>& pose_sets) {
  SKINCELLS_ASSERT(reference.vertexCount() == mesh.positions.size());
  SKINCELLS_ASSERT(candidate.vertexCount() == mesh.positions.size());
  const metrics::PreparedSkin wanted(mesh, reference), given(mesh, candidate);
  Comparison result;
  result.half_l1 = meanHalfL1(wanted.weights, given.weights);
  result.unweighted_vertices = given.unweighted_vertices;
  result.max_influences = weightStatistics(candidate, 0x10000).max_influences;
  const metrics::WeldedSurface surface(mesh);
  for (const PoseSet& set : pose_sets)
    result.sets.push_back(compareInPoses(mesh, surface, wanted.weights, given.weights, set));
  return result;
}

} // namespace skincells

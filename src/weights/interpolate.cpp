#include "weights/interpolate.h"

#include <algorithm>

#include "base/parallel.h"
#include "mesh/surface_points.h"

namespace skincells::weights {

void cornerRows(const Mesh& surface, const SparseWeights& weights, const mesh::RayQuery::Hit& point,
                std::span<std::uint16_t> joints, std::span<float> values) {
  const auto row_size = static_cast<std::size_t>(weights.slots);
  const auto shares = mesh::cornerShares(surface, point);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint32_t from = surface.triangles[point.triangle][i];
    for (std::size_t k = 0; k < row_size; ++k) {
      joints[i * row_size + k] = weights.jointRow(from)[k];
      values[i * row_size + k] = static_cast<float>(shares[i] * static_cast<double>(weights.weightRow(from)[k]));
    }
  }
}

SparseWeights interpolateRows(const Mesh& surface, const SparseWeights& weights,
                              std::span<const mesh::RayQuery::Hit> points, int slots) {
  SparseWeights mixed(points.size(), 3 * weights.slots);
  parallelChunks(points.size(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v)
      cornerRows(surface, weights, points[v], mixed.jointRow(v), mixed.weightRow(v));
  });
  canonicalize(mixed, slots);
  return mixed;
}

SparseWeights transferWeights(const mesh::Clustered& simple, const SparseWeights& weights,
                              std::span<const Vec3f> positions) {
  if (simple.mesh.triangles.empty()) return gatherRows(weights, simple.cluster_of_vertex);
  return interpolateRows(simple.mesh, weights, mesh::closestPoints(simple.mesh, positions), weights.slots);
}

SparseWeights averagedWeights(const mesh::Clustered& simple, const SparseWeights& weights) {
  std::vector<std::vector<std::uint32_t>> members(simple.mesh.positions.size());
  for (std::uint32_t v = 0; v < simple.cluster_of_vertex.size(); ++v) members[simple.cluster_of_vertex[v]].push_back(v);
  SparseWeights out(members.size(), weights.slots);
  parallelChunks(members.size(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t c = begin; c < end; ++c) {
      SparseWeights all(1, weights.slots * static_cast<int>(members[c].size()));
      std::size_t k = 0;
      for (std::uint32_t v : members[c]) {
        std::ranges::copy(weights.jointRow(v), all.joints.begin() + static_cast<std::ptrdiff_t>(k));
        std::ranges::copy(weights.weightRow(v), all.weights.begin() + static_cast<std::ptrdiff_t>(k));
        k += static_cast<std::size_t>(weights.slots);
      }
      canonicalize(all, weights.slots);
      std::ranges::copy(all.joints, out.jointRow(c).begin());
      std::ranges::copy(all.weights, out.weightRow(c).begin());
    }
  });
  return out;
}

} // namespace skincells::weights

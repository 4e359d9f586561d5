#include "weights/interpolate.h"

#include <algorithm>

#include "base/assert.h"
#include "base/parallel.h"

namespace skincells::weights {

std::array<double, 3> cornerShares(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d normal = cross(b - a, c - a);
  const double squared = dot(normal, normal);
  if (squared == 0) return {1, 0, 0};
  const double u = std::clamp(dot(cross(b - p, c - p), normal) / squared, 0.0, 1.0);
  const double v = std::clamp(dot(cross(c - p, a - p), normal) / squared, 0.0, 1.0 - u);
  return {u, v, 1 - u - v};
}

std::array<double, 3> cornerShares(const Mesh& mesh, const mesh::RayQuery::Hit& place) {
  const Triangle& t = mesh.triangles[place.triangle];
  const auto corner = [&](std::size_t i) { return toDouble(mesh.positions[t[i]]); };
  return cornerShares(place.point, corner(0), corner(1), corner(2));
}

std::vector<mesh::RayQuery::Hit> closestPlaces(const Mesh& surface, std::span<const Vec3f> positions) {
  SKINCELLS_ASSERT(!surface.triangles.empty());
  const mesh::RayQuery query(surface);
  std::vector<mesh::RayQuery::Hit> places(positions.size());
  parallelChunks(positions.size(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) places[v] = *query.closestPoint(toDouble(positions[v]));
  });
  return places;
}

void cornerRows(const Mesh& surface, const SparseWeights& weights, const mesh::RayQuery::Hit& place,
                std::span<std::uint16_t> joints, std::span<float> values) {
  const auto row_size = static_cast<std::size_t>(weights.slots);
  const auto shares = cornerShares(surface, place);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint32_t from = surface.triangles[place.triangle][i];
    for (std::size_t k = 0; k < row_size; ++k) {
      joints[i * row_size + k] = weights.jointRow(from)[k];
      values[i * row_size + k] = static_cast<float>(shares[i] * static_cast<double>(weights.weightRow(from)[k]));
    }
  }
}

SparseWeights interpolateRows(const Mesh& surface, const SparseWeights& weights,
                              std::span<const mesh::RayQuery::Hit> places, int slots) {
  SparseWeights mixed(places.size(), 3 * weights.slots);
  parallelChunks(places.size(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v)
      cornerRows(surface, weights, places[v], mixed.jointRow(v), mixed.weightRow(v));
  });
  canonicalize(mixed, slots);
  return mixed;
}

SparseWeights transferWeights(const mesh::Clustered& simple, const SparseWeights& weights,
                              std::span<const Vec3f> positions) {
  if (simple.mesh.triangles.empty()) return gatherRows(weights, simple.cluster_of_vertex);
  return interpolateRows(simple.mesh, weights, closestPlaces(simple.mesh, positions), weights.slots);
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

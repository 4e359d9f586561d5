#include "bind/weight_transfer.h"

#include <algorithm>
#include <array>

#include "base/parallel.h"
#include "mesh/ray_query.h"

namespace skincells::binding {
namespace {

// Barycentric coordinates of a point of the triangle; the first corner alone where the triangle has no area.
std::array<double, 3> cornerShares(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d normal = cross(b - a, c - a);
  const double squared = dot(normal, normal);
  if (squared == 0) return {1, 0, 0};
  const double u = std::clamp(dot(cross(b - p, c - p), normal) / squared, 0.0, 1.0);
  const double v = std::clamp(dot(cross(c - p, a - p), normal) / squared, 0.0, 1.0 - u);
  return {u, v, 1 - u - v};
}

} // namespace

std::optional<double> SurfaceRows::at(const Vec3d& point, std::span<std::uint16_t> joints,
                                      std::span<float> values) const {
  const auto hit = query_.closestPoint(point);
  if (!hit) return std::nullopt;
  const Triangle& t = mesh_.triangles[hit->triangle];
  const auto corner = [&](std::size_t i) { return toDouble(mesh_.positions[t[i]]); };
  const auto shares = cornerShares(hit->point, corner(0), corner(1), corner(2));
  std::size_t place = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < static_cast<std::size_t>(weights_.slots); ++k, ++place) {
      joints[place] = weights_.jointRow(t[i])[k];
      values[place] = static_cast<float>(shares[i] * static_cast<double>(weights_.weightRow(t[i])[k]));
    }
  return hit->distance;
}

SparseWeights transferWeights(const mesh::Clustered& simple, const SparseWeights& weights,
                              std::span<const Vec3f> positions) {
  const mesh::RayQuery query(simple.mesh);
  const SurfaceRows rows(simple.mesh, query, weights);
  SparseWeights mixed(positions.size(), 3 * weights.slots);
  parallelChunks(positions.size(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) {
      if (rows.at(toDouble(positions[v]), mixed.jointRow(v), mixed.weightRow(v))) continue;
      const std::uint32_t cluster = simple.cluster_of_vertex[v];
      std::ranges::copy(weights.jointRow(cluster), mixed.jointRow(v).begin());
      std::ranges::copy(weights.weightRow(cluster), mixed.weightRow(v).begin());
    }
  });
  canonicalise(mixed, weights.slots);
  return mixed;
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
      canonicalise(all, weights.slots);
      std::ranges::copy(all.joints, out.jointRow(c).begin());
      std::ranges::copy(all.weights, out.weightRow(c).begin());
    }
  });
  return out;
}

} // namespace skincells::binding

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

SparseWeights transferWeights(const mesh::Clustered& simple, const SparseWeights& weights,
                              std::span<const Vec3f> positions) {
  const mesh::RayQuery query(simple.mesh);
  const auto slots = static_cast<std::size_t>(weights.slots);
  SparseWeights mixed(positions.size(), 3 * weights.slots);
  const auto add = [&](std::size_t v, std::size_t place, std::uint32_t from, double share) {
    for (std::size_t k = 0; k < slots; ++k) {
      mixed.jointRow(v)[place * slots + k] = weights.jointRow(from)[k];
      mixed.weightRow(v)[place * slots + k] =
          static_cast<float>(share * static_cast<double>(weights.weightRow(from)[k]));
    }
  };
  parallelChunks(positions.size(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) {
      const auto hit = query.closestPoint(toDouble(positions[v]));
      if (!hit) {
        add(v, 0, simple.cluster_of_vertex[v], 1);
        continue;
      }
      const Triangle& t = simple.mesh.triangles[hit->triangle];
      const auto corner = [&](std::size_t i) { return toDouble(simple.mesh.positions[t[i]]); };
      const auto shares = cornerShares(hit->point, corner(0), corner(1), corner(2));
      for (std::size_t i = 0; i < 3; ++i) add(v, i, t[i], shares[i]);
    }
  });
  canonicalise(mixed, weights.slots);
  return mixed;
}

} // namespace skincells::binding

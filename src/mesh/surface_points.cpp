#include "mesh/surface_points.h"

#include <algorithm>

#include "base/assert.h"
#include "base/parallel.h"
#include "mesh/triangle.h"

namespace skincells::mesh {

std::array<double, 3> cornerShares(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d normal = areaNormal(a, b, c);
  const double squared = dot(normal, normal);
  if (squared == 0) return {1, 0, 0};
  const double u = std::clamp(dot(cross(b - p, c - p), normal) / squared, 0.0, 1.0);
  const double v = std::clamp(dot(cross(c - p, a - p), normal) / squared, 0.0, 1.0 - u);
  return {u, v, 1 - u - v};
}

std::array<double, 3> cornerShares(const Mesh& mesh, const RayQuery::Hit& point) {
  const Triangle& t = mesh.triangles[point.triangle];
  const auto corner = [&](std::size_t i) { return toDouble(mesh.positions[t[i]]); };
  return cornerShares(point.point, corner(0), corner(1), corner(2));
}

std::vector<RayQuery::Hit> closestPoints(const Mesh& surface, std::span<const Vec3f> positions) {
  SKINCELLS_ASSERT(!surface.triangles.empty());
  const RayQuery query(surface);
  std::vector<RayQuery::Hit> points(positions.size());
  parallelChunks(positions.size(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::uint32_t last = RayQuery::kNoTriangle;
    for (std::size_t v = begin; v < end; ++v) {
      points[v] = query.closestPoint(toDouble(positions[v]), last).value_or(RayQuery::Hit{});
      last = points[v].triangle;
    }
  });
  return points;
}

} // namespace skincells::mesh

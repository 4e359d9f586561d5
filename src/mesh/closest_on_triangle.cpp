#include "mesh/closest_on_triangle.h"

#include <algorithm>

#include "mesh/triangle.h"

namespace skincells::mesh {
namespace {

Vec3d closestOnEdge(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
  const Vec3d along = b - a;
  const double squared_length = dot(along, along);
  return squared_length > 0 ? a + along * std::clamp(dot(p - a, along) / squared_length, 0.0, 1.0) : a;
}

} // namespace

// Either the foot of the perpendicular is inside the triangle, or the closest point is on an edge. Trying all three
// edges is slower than classifying regions, but robust for slivers.
Vec3d closestOnTriangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d normal = areaNormal(a, b, c);
  const double squared = dot(normal, normal);
  if (squared > 0) {
    const Vec3d foot = p - normal * (dot(p - a, normal) / squared);
    const bool inside = dot(cross(b - a, foot - a), normal) >= 0 && dot(cross(c - b, foot - b), normal) >= 0 &&
                        dot(cross(a - c, foot - c), normal) >= 0;
    if (inside) return foot;
  }
  const auto squaredDistance = [&p](const Vec3d& q) { return dot(q - p, q - p); };
  Vec3d best = closestOnEdge(p, a, b);
  for (const Vec3d& q : {closestOnEdge(p, b, c), closestOnEdge(p, c, a)})
    if (squaredDistance(q) < squaredDistance(best)) best = q;
  return best;
}

} // namespace skincells::mesh

// What a ray through the picture meets on a triangle.
#pragma once

#include <algorithm>

#include "skincells/mesh.h"
#include "viz/render/projection.h"

namespace skincells::render {

struct SurfacePoint {
  float share[3];      // barycentric coordinates in the posed triangle
  Vec3f view_position; // in view space
  Vec3f normal;        // in bind space, toward the eye; unit length
};

// The posed mesh as the shading stages see it.
struct Surface {
  const Projection& projection;
  std::span<const Triangle> triangles;
  std::span<const Vec3f> view_positions;
  std::span<const Vec3f> corner_normals; // three per triangle

  // Where the ray through a place of the picture meets the plane of triangle t, held inside the triangle.
  SurfacePoint at(std::uint32_t t, double x, double y) const {
    const Triangle& corner = triangles[t];
    const Vec3f a = view_positions[corner[0]], ab = view_positions[corner[1]] - a, ac = view_positions[corner[2]] - a;
    const Vec3f ray = projection.rayAt(x, y), across = cross(ray, ac);
    const float det = dot(ab, across);
    float u = 1.0f / 3, v = 1.0f / 3;
    if (det != 0) {
      u = std::clamp(dot(-a, across) / det, 0.0f, 1.0f);
      v = std::clamp(dot(ray, cross(-a, ab)) / det, 0.0f, 1.0f - u);
    }
    SurfacePoint point{{1 - u - v, u, v}, a + ab * u + ac * v, {}};
    const Vec3f* n = &corner_normals[std::size_t{t} * 3];
    const Vec3f sum = n[0] * point.share[0] + n[1] * u + n[2] * v;
    point.normal = normalized(sum) * (det > 0 ? -1.0f : 1.0f); // view space is mirrored: negative means front
    if (point.normal == Vec3f{}) point.normal = toFloat(-projection.forward);
    return point;
  }
};

} // namespace skincells::render

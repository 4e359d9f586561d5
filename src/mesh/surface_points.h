// Points on the surface of a mesh, as a triangle and the shares of its corners.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "mesh/ray_query.h"
#include "skincells/mesh.h"

namespace skincells::mesh {

// Barycentric coordinates of a point of the triangle; (1, 0, 0) if the triangle has no area.
std::array<double, 3> cornerShares(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c);
// The same for a point on a mesh.
std::array<double, 3> cornerShares(const Mesh& mesh, const RayQuery::Hit& point);

// The closest point of the surface to each position; for a position that is not finite, any. The surface has at least
// one triangle.
std::vector<RayQuery::Hit> closestPoints(const Mesh& surface, std::span<const Vec3f> positions);

} // namespace skincells::mesh

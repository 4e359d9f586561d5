// A surface through points that have no triangles: scans, and the centers of splats.
#pragma once

#include <span>

#include "skincells/mesh.h"

namespace skincells::mesh {

// Joins some of the points, spread evenly, to a mesh: each with the neighbors around it in its tangent plane
// (Delaunay), where the points agree on it. Neighbors on another sheet, which faces elsewhere, are not joined. Dense
// and noisy points are averaged. Triangles of a connected part face the same way, outwards if the part is closed.
// Points must be finite. The mesh has no sections, every vertex has a triangle, and there is no vertex at all if the
// points are too few, or not on a surface. Same bytes for any number of threads.
Mesh surfaceOfPoints(std::span<const Vec3f> points);

} // namespace skincells::mesh

// Smoothed outward normals: what fields that see normals are evaluated with.
#pragma once

#include <vector>

#include "skincells/mesh.h"

namespace skincells::mesh {

// One normal per vertex of a welded mesh, as docs/field-file.md defines it: that of the surface, averaged over about
// kNormalReach of the character. It hardly depends on how densely the surface is sampled. The length is at most 1; it
// is smaller where the surface has no clear outside: open and thin parts, and sheets that face both ways. It is 0 at
// vertices without triangles. Parts that are inside out are turned. size: the largest side of the character's box.
inline constexpr double kNormalReach = 0.045; // in sizes; about 60 rounds of averaging over edges of 2/170
std::vector<Vec3f> smoothedNormals(const Mesh& welded, double size);

} // namespace skincells::mesh

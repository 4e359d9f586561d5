// The closest point of a triangle.
#pragma once

#include "skincells/math.h"

namespace skincells::mesh {

// The point of triangle (a, b, c) closest to p; the triangle may be degenerate.
Vec3d closestOnTriangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c);

} // namespace skincells::mesh

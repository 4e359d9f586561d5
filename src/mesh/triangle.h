// Measures of single triangles.
#pragma once

#include <array>

#include "skincells/mesh.h"

namespace skincells::mesh {

// The normal of a triangle, as long as twice its area.
inline Vec3d areaNormal(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  return cross(b - a, c - a);
}
// The same for three corners of a list of positions, single or double precision.
template <class Positions> Vec3d areaNormal(const Positions& positions, const std::array<std::uint32_t, 3>& t) {
  const auto corner = [&](std::size_t k) {
    const auto& p = positions[t[k]];
    return Vec3d{p.x, p.y, p.z};
  };
  return areaNormal(corner(0), corner(1), corner(2));
}

} // namespace skincells::mesh

// The normalized space of the solver. Every length in the guess and the losses is measured on a character whose largest
// side is kCharacterSize, so that the units of a file do not matter.
#pragma once

#include <algorithm>

#include "skincells/mesh.h"

namespace skincells::mesh {

inline constexpr double kCharacterSize = 170; // cm

// x_space = (x - origin) * scale
struct SolveSpace {
  Vec3d origin;
  double scale = 1;

  Vec3d toSpace(const Vec3d& p) const { return (p - origin) * scale; }
  Vec3d fromSpace(const Vec3d& p) const { return p * (1 / scale) + origin; }
};

// The scale at which the largest side of a box has this length; 1 for a box without size.
inline double scaleToSize(const Box& box, double size) {
  const Vec3d sides = box.size();
  const double largest = std::max({sides.x, sides.y, sides.z});
  return largest > 0 ? size / largest : 1;
}

// The space of field parameters: largest side 1, origin at the lower corner of the box.
inline SolveSpace unitSpace(const Box& box) {
  return {box.lo, scaleToSize(box, 1)};
}

// The space of the guess: largest side kCharacterSize, origin at the center of the box.
inline SolveSpace characterSpace(const Box& box) {
  return {box.center(), scaleToSize(box, kCharacterSize)};
}

// The mesh in that space, without sections.
inline Mesh inSpace(const Mesh& mesh, const SolveSpace& space) {
  Mesh out;
  out.triangles = mesh.triangles;
  out.positions.reserve(mesh.positions.size());
  for (const Vec3f& p : mesh.positions) out.positions.push_back(toFloat(space.toSpace(toDouble(p))));
  return out;
}

} // namespace skincells::mesh

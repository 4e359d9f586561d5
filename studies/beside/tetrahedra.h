// Tetrahedra inside a surface, made by tetgen (Si 2015), which is run as a program and never linked: it is licensed
// under the AGPL. `tools/setup.sh studies` installs it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "skincells/mesh.h"
#include "skincells/result.h"

namespace skincells::studies {

struct TetMesh {
  std::vector<Vec3d> positions; // those of the surface first, then the points inside, then new ones
  std::vector<std::array<std::uint32_t, 4>> tetrahedra;
};

// Whether the program is there.
bool hasTetgen();

// Fails if tetgen does: where the surface is open, or intersects itself. inside: further corners of tetrahedra; those
// that are outside are corners of none.
Result<TetMesh> tetrahedralize(const Mesh& surface, std::span<const Vec3d> inside);

} // namespace skincells::studies

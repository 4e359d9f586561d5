// The weld of the solver: also joins borders that nearly coincide.
#pragma once

#include "skincells/mesh.h"

namespace skincells::mesh {

// Joins vertices within 1e-6 of the size of each other. Then vertices of open edges within 3e-5 of each other are
// joined, too, as far as all edges around them are much longer: exporters and scanners leave such gaps, which would
// tear the surface into pieces. size: of the character; the default is the diagonal of its trimmed bounds.
// Welded vertices are numbered by position, so that a solve does not depend on the order in the file.
Weld weldForSolve(const Mesh& mesh, double size);
Weld weldForSolve(const Mesh& mesh);

// The welded mesh with its triangles in an order that depends on the vertices alone, and each of them once.
Mesh solveMesh(const Mesh& mesh, const Weld& weld);

} // namespace skincells::mesh

// The weld of the solver: also joins borders that nearly coincide.
#pragma once

#include "skincells/mesh.h"

namespace skincells::mesh {

// Joins vertices within 1e-6 of the size of each other. Then vertices of open edges within 3e-5 of each other are
// joined, too, as far as all edges around them are much longer: exporters and scanners leave such gaps, which would
// tear the surface into pieces. size: of the character; the default is the diagonal of its trimmed bounds.
Weld weldForSolve(const Mesh& mesh, double size);
Weld weldForSolve(const Mesh& mesh);

} // namespace skincells::mesh

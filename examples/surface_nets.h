// The zero set of a field as a fine triangle mesh.
#pragma once

#include "surface.h"

namespace skincells::examples {

// Surface nets (Gibson 1998), found by walking from cell to cell along the surface as Bloomenthal (1988) does, so
// that only cells on the surface are evaluated. Positions and triangles only. Closed; manifold where no two sheets
// of the surface share a cell.
Surface surfaceNets(const Field& field, double cell);

} // namespace skincells::examples

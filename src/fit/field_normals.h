// The normals that a field sees on a mesh.
#pragma once

#include <vector>

#include "mesh/smoothed_normals.h"
#include "skincells/field.h"

namespace skincells::fit {

// One per vertex of a welded mesh in the field's bind space; empty if the field does not see normals.
inline std::vector<Vec3f> normalsSeen(const FieldParameters& field, const Mesh& welded) {
  return field.layout.normals ? mesh::smoothedNormals(welded, 1 / field.unit_scale) : std::vector<Vec3f>{};
}

} // namespace skincells::fit

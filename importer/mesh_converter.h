// One mesh of Assimp (one material) as a primitive.
#pragma once

#include <assimp/mesh.h>

#include "skin_set.h"
#include "skincells/io/scene.h"
#include "skincells/result.h"

namespace skincells::importer {

// Vertices are joined where position, normal, texture coordinate and weights are all equal, and left out where no
// triangle uses them. With a placement the vertices are moved to the skin's bind space and carry weights: as many as
// the file has, up to eight, the largest; vertices without weights keep a row of zeros. The result may be empty.
ScenePrimitive convertMesh(const aiMesh& mesh, const SkinPlacement* placement, Warnings& warnings);

} // namespace skincells::importer

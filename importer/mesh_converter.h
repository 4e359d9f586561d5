// Converts one mesh of Assimp (one material) to a primitive.
#pragma once

#include <assimp/mesh.h>

#include "skin_set.h"
#include "skincells/io/scene.h"
#include "skincells/result.h"

namespace skincells::importer {

// Vertices with equal position, normal, texture coordinate and weights are merged; unused vertices are removed. With a
// placement, the vertices are moved to the skin's bind space and have weights: the largest ones of the file, up to
// eight per vertex; a vertex without weights has a row of zeros. The result may be empty.
ScenePrimitive convertMesh(const aiMesh& mesh, const SkinPlacement* placement, Warnings& warnings);

} // namespace skincells::importer

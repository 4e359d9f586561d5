// Converts a scene of Assimp.
#pragma once

#include <assimp/scene.h>

#include "assimp_reader.h"
#include "skincells/io/scene.h"
#include "skincells/result.h"

namespace skincells::importer {

// World space of the result is y up in meters. Meshes with bones become scene roots with identity transform (glTF
// ignores the transform of a skinned mesh's node); all other meshes stay in the node tree.
Scene convertScene(const aiScene& scene, ConfinedFiles& files, Animations animations, Warnings& warnings);

} // namespace skincells::importer

// A whole scene of Assimp as a scene of ours.
#pragma once

#include <string>

#include <assimp/scene.h>

#include "assimp_reader.h"
#include "skincells/io/scene.h"
#include "skincells/result.h"

namespace skincells::importer {

// World space of the result is y up in meters. Meshes with bones become scene roots with identity transform (glTF
// ignores the transform of a skinned mesh's node); all else stays in the node tree where it was.
Scene convertScene(const aiScene& scene, const std::string& path, Animations animations, Warnings& warnings);

} // namespace skincells::importer

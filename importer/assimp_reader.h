// Reads a file with Assimp, with the settings that the conversion needs.
#pragma once

#include <memory>

#include <assimp/Importer.hpp>
#include <assimp/scene.h>

#include "confined_files.h"
#include "skincells/result.h"

namespace skincells::importer {

enum class Animations { Read, Skip };

// Owns the scene.
struct AssimpScene {
  std::unique_ptr<Assimp::Importer> owner;
  const aiScene* scene = nullptr;
};

// Polygons are triangulated, points and lines removed, texture coordinates have the origin of glTF; FBX pivots are
// separate nodes (`NodeTree` joins them, including their animation).
//
// Assimp opens nothing but `files`, which must outlive the scene. Errors say what is wrong in our own words: those of
// Assimp quote the file.
Result<AssimpScene> readWithAssimp(ConfinedFiles& files, Animations animations);

} // namespace skincells::importer

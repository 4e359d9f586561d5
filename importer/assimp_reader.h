// Reads a file with Assimp, with the settings that the conversion needs.
#pragma once

#include <memory>
#include <string>

#include <assimp/Importer.hpp>
#include <assimp/scene.h>

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
Result<AssimpScene> readWithAssimp(const std::string& path, Animations animations);

} // namespace skincells::importer

// Reading a file with Assimp, set up the way the conversion needs it.
#pragma once

#include <memory>
#include <string>

#include <assimp/Importer.hpp>
#include <assimp/scene.h>

#include "skincells/result.h"

namespace skincells::importer {

enum class Animations { Read, Skip };

// Owns the scene that Assimp made.
struct AssimpScene {
  std::unique_ptr<Assimp::Importer> owner;
  const aiScene* scene = nullptr;
};

// Polygons come triangulated, points and lines removed, texture coordinates with glTF's origin; FBX pivots stay
// nodes of their own (`NodeTree` joins them again, animation included).
Result<AssimpScene> readWithAssimp(const std::string& path, Animations animations);

} // namespace skincells::importer

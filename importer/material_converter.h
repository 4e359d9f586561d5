// Materials: base color and, if the image is found, base color texture.
#pragma once

#include <string>

#include <assimp/scene.h>

#include "skincells/io/scene.h"
#include "skincells/result.h"

namespace skincells::importer {

// Fills `out.materials` (with the same indices) and `out.images`. Images are taken from the file itself or from the
// folder of `path` and below, PNG and JPEG only; others are ignored, with a warning.
void convertMaterials(const aiScene& scene, const std::string& path, Scene& out, Warnings& warnings);

} // namespace skincells::importer

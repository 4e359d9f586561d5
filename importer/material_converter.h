// Materials: base color and, where the picture is at hand, base color texture.
#pragma once

#include <string>

#include <assimp/scene.h>

#include "skincells/io/scene.h"
#include "skincells/result.h"

namespace skincells::importer {

// Fills `out.materials` (index for index) and `out.images`. Pictures are taken from inside the file or from the folder
// of `path` and below, PNG and JPEG only; others are left out with a warning.
void convertMaterials(const aiScene& scene, const std::string& path, Scene& out, Warnings& warnings);

} // namespace skincells::importer

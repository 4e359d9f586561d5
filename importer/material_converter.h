// Materials: base color and, if the image is found, base color texture.
#pragma once

#include <assimp/scene.h>

#include "confined_files.h"
#include "skincells/io/scene.h"
#include "skincells/result.h"

namespace skincells::importer {

// Fills `out.materials` (with the same indices) and `out.images`. Images are taken from the file itself or from the
// folder of the input and below, PNG and JPEG only; others are ignored, with a warning.
void convertMaterials(const aiScene& scene, ConfinedFiles& files, Scene& out, Warnings& warnings);

} // namespace skincells::importer

// Base colors and their textures.
#pragma once

#include "io/gltf/read/character.h"
#include "skincells/io/base_colors.h"

namespace skincells::io {

// The material's color without its texture: glTF's, or that of KHR_materials_pbrSpecularGlossiness. Light gray for -1.
std::array<float, 3> baseColorOf(const Json& json, int material);

// What cannot be read is left out with a warning: pictures are never a reason to fail.
BaseColors readBaseColors(const GltfDocument& document, const GltfCharacter& content);

} // namespace skincells::io

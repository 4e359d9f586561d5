// Posed documents without a skin.
#pragma once

#include <functional>

#include "io/gltf/edit/edited_document.h"
#include "io/gltf/read/character.h"

namespace skincells::io {

// The document as a static one: vertex v of the character is at map(v) of its bind-space position, normals and tangents
// follow. The posed meshes get separate nodes at the root of the scene, scaled by `scale`. Skins, weights, morph
// targets and animations are removed; meshes without a skin stay where they are.
Result<EditedDocument> rebuildStatic(const GltfDocument& document, const GltfCharacter& character,
                                     const std::function<Affine(std::size_t)>& map, double scale);

} // namespace skincells::io

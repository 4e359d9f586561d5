// Documents with fewer vertices and triangles.
#pragma once

#include <cstdint>
#include <span>

#include "io/gltf/edit/edited_document.h"
#include "io/gltf/read/character.h"

namespace skincells::io {

// The document with these triangles instead of its own, and without the vertices that none of them uses. Triangle i
// replaces triangle `source[i]` of the character's mesh: it belongs to the same primitive, and its corners are vertices
// of the same section. Attributes and morph targets of the remaining vertices keep their values and types. Draco and
// meshopt compression of the geometry is removed. If a mesh is shown with several skins, the first one decides.
Result<EditedDocument> rebuildReduced(const GltfDocument& document, const GltfCharacter& character,
                                      std::span<const Triangle> triangles, std::span<const std::uint32_t> source);

} // namespace skincells::io

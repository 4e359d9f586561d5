// Documents with other geometry: fewer vertices, or vertices in another place and no skin.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "io/gltf/edit_weights.h"

namespace skincells::io {

// The document with these triangles instead of its own, and without the vertices that none of them uses. Triangle i
// takes the place of triangle `source[i]` of the character's mesh: it belongs to the same primitive, and its corners
// are vertices of the same section. Attributes and morph targets of the vertices that stay keep their numbers and
// types; draco and meshopt compression of the geometry is undone. Meshes shown with several skins follow their first.
Result<EditedDocument> rebuildReduced(const GltfDocument& document, const GltfCharacter& character,
                                      std::span<const Triangle> triangles, std::span<const std::uint32_t> source);

// The document as a static one: every vertex v of the character at map(v) of its bind-space position, normals and
// tangents with it, in nodes of their own at the root of the scene, scaled by `scale`. Skins, weights, morph targets
// and animations are left out; meshes without a skin stay where they are.
Result<EditedDocument> rebuildStatic(const GltfDocument& document, const GltfCharacter& character,
                                     const std::function<Affine(std::size_t)>& map, double scale);

} // namespace skincells::io

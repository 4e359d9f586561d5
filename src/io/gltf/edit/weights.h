// A document with new weights. Only skinning data changes: weight accessors, and, if the file has none, skins and
// inverse bind matrices.
#pragma once

#include "io/gltf/edit/edited_document.h"
#include "io/gltf/read/character.h"
#include "skincells/weights.h"

namespace skincells::io {

// A copy of the document with these weights, one canonical row per vertex of the character.
Result<EditedDocument> applyWeights(const GltfDocument& document, const GltfCharacter& character,
                                    const SparseWeights& weights, Quantization quantization);

} // namespace skincells::io

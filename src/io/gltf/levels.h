// Levels of detail in one document: the extension MSFT_lod, on nodes.
//
// A node that names others in its extension stands for the finest level, and they for coarser ones; they are in no
// scene. Programs that do not know the extension show the finest level.
#pragma once

#include <span>
#include <string>

#include "io/gltf/document.h"
#include "io/gltf/edit_weights.h"

namespace skincells::io {

// Leaves only the nodes of one level (0: the finest; of a node that has fewer, the last) with their meshes in the
// model, so that levels are not taken for characters standing in one place; the JSON stays as it is. Returns the most
// levels that a node has, 1 without the extension; fails when no node has this one.
Result<int> selectLevel(GltfDocument& document, int level);

// Puts one level, chosen as above, in the place of the finest in the JSON, for programs that do not know the extension.
// The document has passed selectLevel.
void showLevel(Json& json, int level);

// The same, and takes the other levels out of the document, with their meshes and the bytes of them.
EditedDocument onlyLevel(const GltfDocument& document, const GltfCharacter& character, int level);

// Adds the skinned meshes of `level` to the document, as further levels of the nodes of the same index; both come from
// one document. Skeleton, materials and animations are those of `document`. number: of the level, for names.
Result<void> addLevel(EditedDocument& document, const EditedDocument& level, int number, const std::string& where);

// Says down to which share of the screen each level is to be shown.
void setScreenCoverage(EditedDocument& document, std::span<const double> coverage);

} // namespace skincells::io

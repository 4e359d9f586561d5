// Levels of detail in one document: the extension MSFT_lod, on nodes.
//
// The node with the extension shows the finest level; the nodes that the extension lists show coarser ones and belong
// to no scene. Programs without support for the extension show the finest level.
#pragma once

#include <span>
#include <string>

#include "io/gltf/document.h"
#include "io/gltf/edit/edited_document.h"
#include "io/gltf/read/character.h"

namespace skincells::io {

// Removes the meshes of all other levels from the model, so that they are not read as further characters; the JSON is
// not changed. Level 0 is the finest; nodes with fewer levels show their last one. Returns the largest number of levels
// of a node, 1 without the extension. Fails if no node has this level.
Result<int> selectLevel(GltfDocument& document, int level);

// Shows this level instead of the finest in the JSON, for programs without support for the extension. The document must
// have passed selectLevel.
void showLevel(Json& json, int level);

// The same, and removes the other levels from the document, with their meshes and data.
EditedDocument onlyLevel(const GltfDocument& document, const GltfCharacter& character, int level);

// Adds the skinned meshes of `level` as a further level of the nodes of the same index; both documents come from the
// same source. Skeleton, materials and animations are those of `document`. `number` is the level's, for node names.
Result<void> addLevel(EditedDocument& document, const EditedDocument& level, int number, const std::string& where);

// Sets the share of the screen (0 .. 1) down to which each level is shown.
void setScreenCoverage(EditedDocument& document, std::span<const double> coverage);

} // namespace skincells::io

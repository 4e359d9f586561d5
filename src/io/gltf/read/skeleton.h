// Joints, bind transforms and bind spaces of a document.
#pragma once

#include "io/gltf/read/character.h"

namespace skincells::io {

// Fills character.skeleton, node_of_joint, bindings and instances.
//
// The bind pose is the one of the inverse bind matrices, which often differs from the rest pose of the node tree. Skins
// of one character may have different mesh spaces; all are brought into the space of the first skin, through joints
// that they share or else through the node tree.
Result<void> readSkeleton(const GltfDocument& document, const ReadOptions& options, GltfCharacter& out);

} // namespace skincells::io

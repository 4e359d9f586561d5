// The map from human bones to nodes that VRM files hold.
#pragma once

#include "io/gltf/read/character.h"

namespace skincells::io {

// Sets the human bone of each joint that a VRM 0 or VRM 1 file assigns one to. Invalid entries are ignored, with a
// warning.
void readHumanBones(const GltfDocument& document, GltfCharacter& out);

} // namespace skincells::io

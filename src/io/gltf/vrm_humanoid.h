// The map from human bones to nodes that VRM files hold.
#pragma once

#include "io/gltf/read_character.h"

namespace skincells::io {

// Notes at each joint which human bone a VRM 0 or VRM 1 file says it is. Entries that cannot be used are left out, with
// a warning.
void readHumanBones(const GltfDocument& document, GltfCharacter& out);

} // namespace skincells::io

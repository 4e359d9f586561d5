// Positions and triangles of all mesh instances.
#pragma once

#include "io/gltf/read/character.h"

namespace skincells::io {

// Fills character.mesh, in bind space, and streams. Needs the bindings and instances of readSkeleton.
Result<void> readGeometry(const GltfDocument& document, GltfCharacter& out);

} // namespace skincells::io

// The weights that a file already has, and their defects.
#pragma once

#include "io/gltf/read/character.h"

namespace skincells::io {

// Fills character.weights (canonical; empty if the file has none) and adds to defects. Needs the streams of
// readGeometry.
Result<void> readWeights(const GltfDocument& document, GltfCharacter& out);

} // namespace skincells::io

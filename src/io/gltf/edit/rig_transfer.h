// Taking a skeleton from another file.
#pragma once

#include <string>

#include "io/gltf/document.h"
#include "skincells/io/character_file.h"

namespace skincells::io {

// Copies the joints of `rig` and their ancestors into `target`, and fills its `foreign_joints`. Fails if `target` has a
// skinned mesh. Both files are assumed to have the same world space.
Result<void> transferRig(const GltfDocument& rig, const ReadOptions& options, GltfDocument& target);

} // namespace skincells::io

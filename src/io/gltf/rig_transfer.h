// Taking a skeleton from another file.
#pragma once

#include <string>

#include "io/gltf/document.h"
#include "skincells/io/character_file.h"

namespace skincells::io {

// Copies the joints of `rig` (with the nodes above them) into `target`, which must not have a skin in use, and
// fills its `foreign_joints`. Both files are taken to share their world space.
Result<void> transferRig(const GltfDocument& rig, const ReadOptions& options, GltfDocument& target);

} // namespace skincells::io

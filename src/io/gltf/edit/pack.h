// Containers: an edited document as one GLB file, or as .gltf with its resources in the same folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/gltf/document.h"
#include "io/gltf/edit/edited_document.h"
#include "skincells/io/output_set.h"
#include "skincells/result.h"

namespace skincells::io {

// Fails if the extension of the path is not .glb, .vrm or .gltf.
Result<void> checkFormat(const std::string& output_path);

// Stages the edited document as files, in the format of the path's extension: a single GLB (.glb, .vrm) that contains
// external resources, or .gltf, with copies of its resources in the same folder.
//
// Only the file of this path replaces an existing one, and it comes last: at every moment the folder has the old file
// with its resources or the new one with its own. A resource whose name is taken by another file gets a number. Buffers
// of a .gltf file that is replaced, if they are named after it, are removed in the end.
Result<void> stageDocument(const GltfDocument& source, EditedDocument edited, const std::string& output_path,
                           bool force, OutputSet& outputs);

// The edited document as one GLB without external references. Images that cannot be read become a white pixel.
Result<std::vector<std::uint8_t>> packSelfContained(const GltfDocument& source, EditedDocument edited);

// Gathers all buffers that have bytes into the first one, and adjusts the buffer views.
void mergeBuffers(EditedDocument& document);

} // namespace skincells::io

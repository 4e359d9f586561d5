// Containers: an edited document as one GLB file, or as .gltf with its resources in the same folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/file_access.h"
#include "io/gltf/document.h"
#include "io/gltf/edited_document.h"
#include "skincells/result.h"

namespace skincells::io {

// Fails if the extension of the path is not .glb, .vrm or .gltf.
Result<void> checkFormat(const std::string& output_path);

// The edited document as files, in the format of the path's extension: a single GLB (.glb, .vrm) that contains external
// resources, or .gltf, with copies of its resources in the same folder.
Result<std::vector<OutputFile>> packDocument(const GltfDocument& source, EditedDocument edited,
                                             const std::string& output_path);

// The edited document as one GLB without external references. Images that cannot be read become a white pixel.
Result<std::vector<std::uint8_t>> packSelfContained(const GltfDocument& source, EditedDocument edited);

// Gathers all buffers that have bytes into the first one, and adjusts the buffer views.
void mergeBuffers(EditedDocument& document);

} // namespace skincells::io

// A document with new weights. Only what skinning touches changes: weight accessors, and skins, joints and inverse
// bind matrices where the file had none.
#pragma once

#include <string>
#include <vector>

#include "io/file_access.h"
#include "io/gltf/read_character.h"
#include "skincells/weights.h"

namespace skincells::io {

// A document while it is edited. Only one buffer changes; it grows only at its end.
struct EditedDocument {
  Json json;
  std::vector<GltfBuffer> buffers;
  int skin_buffer = -1; // the one that changes
};

// Puts the weights into a copy of the document.
Result<EditedDocument> applyWeights(const GltfDocument& document, const GltfCharacter& character,
                                    const SparseWeights& weights, Quantization quantization);

// Gathers all buffers that have bytes into the first one and points the views there.
void mergeBuffers(EditedDocument& document);

// Does the extension name a format that characters are written in?
Result<void> checkFormat(const std::string& output_path);

// The edited document as files: a single GLB (.glb, .vrm), with external resources taken in; or .gltf, with the
// resources that it needs beside it.
Result<std::vector<OutputFile>> packDocument(const GltfDocument& source, EditedDocument edited,
                                             const std::string& output_path);

// The edited document as one GLB that refers to nothing outside it: pictures are taken in, and those that cannot be
// read become a white pixel.
Result<std::vector<std::uint8_t>> packSelfContained(const GltfDocument& source, EditedDocument edited);

} // namespace skincells::io

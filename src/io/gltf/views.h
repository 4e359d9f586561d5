// Taking out of a document what nothing refers to any more, without knowing every extension.
#pragma once

#include <string>
#include <vector>

#include "io/gltf/edit_weights.h"

namespace skincells::io {

// Views that something refers to: any "bufferView" anywhere in the document.
std::vector<bool> viewsInUse(const Json& json);

// Takes out the views that were in use before (`used_before`) and no longer are, with their bytes; all buffers become
// one. Compressions that nothing uses any more leave the lists of extensions.
void dropAbandonedViews(EditedDocument& document, const std::vector<bool>& used_before);

} // namespace skincells::io

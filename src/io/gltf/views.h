// Removal of unreferenced data from a document that may have unknown extensions.
#pragma once

#include <vector>

#include "io/gltf/edit/edited_document.h"

namespace skincells::io {

// By buffer view: whether any "bufferView" member of the document refers to it.
std::vector<bool> viewsInUse(const Json& json);

// Removes the marked views and renumbers the others. Their bytes stay.
void dropViews(Json& json, const std::vector<bool>& dropped);

// Removes the views that were in use before (`used_before`) and no longer are, with their bytes, and merges all
// buffers. Compression extensions that are no longer used are removed from the lists of extensions.
void dropAbandonedViews(EditedDocument& document, const std::vector<bool>& used_before);

} // namespace skincells::io

// Removal of data that an edit left without a use.
#pragma once

#include <set>

#include "io/gltf/edit/edited_document.h"

namespace skincells::io {

std::set<int> accessorsOfMeshes(const Json& json);
// Those that meshes, skins and animations refer to.
std::set<int> accessorsInUse(const Json& json);

// Removes accessors and buffer views that `source` refers to and the edited document does not, and the bytes that only
// such views cover. All other data keeps its order and its bytes. Bytes go from the buffer that is rewritten, or
// from all of them (every_buffer). Accessors stay, and with them their data, if removing them would change the numbers
// of others and an extension that is not known may refer to these.
void dropReplaced(const Json& source, EditedDocument& edited, bool every_buffer);

} // namespace skincells::io

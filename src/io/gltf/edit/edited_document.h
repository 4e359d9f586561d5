// A document while it is edited.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "io/gltf/model.h"

namespace skincells::io {

struct EditedDocument {
  Json json;
  std::vector<GltfBuffer> buffers; // one per entry of the document's "buffers"
  int skin_buffer = -1;            // the only buffer that changes; it grows only at its end
};

} // namespace skincells::io

// A glTF file as it is on disk: the JSON with its key order, the buffers, and the typed model of both.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/gltf/model.h"
#include "skincells/result.h"

namespace skincells::io {

// A joint that was copied in from another file.
struct ForeignJoint {
  int node = -1;
  Affine bind; // joint space -> world
};

struct GltfDocument {
  std::string path;    // as given by the caller, for messages
  std::string folder;  // external resources live here; empty: none are read
  bool binary = false; // came as GLB
  Json json;
  GltfModel model;
  std::vector<ForeignJoint> foreign_joints; // the skeleton, where it came from another file
  std::string foreign_source;
};

// Reads .glb, .vrm and .gltf, told apart by their first bytes.
Result<GltfDocument> loadDocument(std::span<const std::uint8_t> bytes, const std::string& path,
                                  const std::string& folder);

// Puts nodes at the top of the scene that is shown, which is made where there is none.
void addToScene(Json& json, std::span<const int> nodes);

} // namespace skincells::io

// A glTF file as read: the JSON in its original key order, the buffers, and the typed model of both.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "io/gltf/model.h"
#include "skincells/result.h"

namespace skincells::io {

// A joint that was copied from another file.
struct ForeignJoint {
  int node = -1;
  Affine bind; // joint space -> world
};

struct GltfDocument {
  std::string path;    // as given by the caller, for messages
  std::string folder;  // of external resources; empty: none are read
  bool binary = false; // read from a GLB file
  Json json;
  GltfModel model;
  std::vector<ForeignJoint> foreign_joints; // the skeleton, if it comes from another file
  std::string foreign_source;               // path of that file
  std::vector<std::string> resources;       // files that it refers to: buffers, images
};

// Reads .glb, .vrm and .gltf files, distinguished by their first bytes. An empty `folder` refuses external resources.
Result<GltfDocument> loadDocument(std::span<const std::uint8_t> bytes, const std::string& path,
                                  const std::string& folder);

// The JSON of a .gltf file, or of the first chunk of a GLB.
Result<Json> parseJson(std::string_view text, const std::string& path);

// Adds nodes to the roots of the default scene, which is created if there is none.
void addToScene(Json& json, std::span<const int> nodes);

} // namespace skincells::io

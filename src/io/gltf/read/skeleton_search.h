// Finds the skeleton of a file without a skin, and the meshes that it should move.
#pragma once

#include <string>
#include <vector>

#include "io/gltf/document.h"
#include "skincells/io/character_file.h"
#include "skincells/result.h"

namespace skincells::io {

struct FoundSkeleton {
  std::vector<int> joints;     // nodes, parents before children
  std::vector<int> mesh_nodes; // nodes whose mesh is to be skinned
  std::string source;          // description for messages
  Warnings warnings;
};

// `name`: the node whose subtree is the skeleton; empty: the joints of the file's only skin, or the one node tree
// without meshes, cameras and lights.
Result<FoundSkeleton> findSkeleton(const GltfDocument& document, const std::string& name);

// Nodes and node trees, for a user who must choose. Fills all but the path's size.
FileOutline outlineOf(const GltfDocument& document);

} // namespace skincells::io

// From a glTF document to a Character, with what the writer needs to go back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/gltf/document.h"
#include "skincells/character.h"
#include "skincells/io/character_file.h"

namespace skincells::io {

// A skin of the file, or one that the writer will add.
struct SkinBinding {
  int skin = -1;                  // index of the file's skin; -1: to be added
  std::vector<int> joint_of_slot; // position in the skin's joint list -> joint of the character
  Affine bind_from_mesh;          // mesh space -> bind space
  bool matrices_unusable = false; // inverse bind matrices are missing or broken, and have to be written
};

// A mesh under a node. Nodes that show the same mesh with the same joints share one instance.
struct MeshInstance {
  int mesh = 0;
  int binding = 0;
  std::vector<int> nodes;
  bool needs_copy = false; // another instance shows the same mesh with other joints: this one gets a copy of the mesh
};

// Vertices with one set of weight accessors: all primitives of an instance that share their vertex data.
struct VertexStream {
  int instance = 0;
  std::vector<int> primitives;                // indices into the mesh's primitives
  std::vector<std::uint32_t> triangle_counts; // by entry of `primitives`; the stream's triangles are in this order
  std::uint32_t first_vertex = 0, vertex_count = 0;
};

struct GltfCharacter {
  Character character;
  std::vector<int> node_of_joint;
  std::vector<SkinBinding> bindings;
  std::vector<MeshInstance> instances;
  std::vector<VertexStream> streams;
  std::vector<Defect> defects;
  Warnings warnings;
  FileInfo info;
};

// Reads skeleton, geometry, weights and file info.
Result<GltfCharacter> buildCharacter(const GltfDocument& document, const ReadOptions& options);

// What can be said of a file without its character.
FileInfo describeFile(const GltfDocument& document);

// "/meshes/3/primitives/1"
std::string primitivePointer(int mesh, int primitive);

} // namespace skincells::io

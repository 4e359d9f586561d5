// Skins from the bones of each mesh: one skin for all meshes if their bind poses agree.
#pragma once

#include <map>
#include <vector>

#include <assimp/mesh.h>

#include "node_tree.h"
#include "skincells/io/scene.h"

namespace skincells::importer {

// The skin of a mesh, and its place in it.
struct SkinPlacement {
  int skin = -1;
  Affine bind_from_mesh;       // mesh space -> bind space of the skin; usually the identity
  std::vector<int> bone_joint; // bone of the mesh -> index into the skin's joints
};

class SkinSet {
public:
  explicit SkinSet(NodeTree& tree, Warnings& warnings) : tree_(tree), warnings_(warnings) {}

  // Finds or adds a skin for the mesh. Two meshes share a skin if one map takes the bind pose of the first to that of
  // the second for all common bones; the second mesh is then moved by that map. `mesh_global` is the rest transform of
  // the mesh's node.
  SkinPlacement place(const aiMesh& mesh, const Affine& mesh_global);

  std::vector<SceneSkin> takeSkins();

private:
  struct Bone {
    int node;
    Affine joint_from_mesh;
  };
  struct Skin {
    SceneSkin out;
    std::map<int, int> joint_of_node;
    Affine mesh_global; // rest transform of the node of its first mesh
  };

  std::vector<Bone> bonesOf(const aiMesh& mesh, const Affine& mesh_global);
  int nodeOf(const aiBone& bone, const Affine& mesh_global);

  NodeTree& tree_;
  Warnings& warnings_;
  std::vector<Skin> skins_;
};

} // namespace skincells::importer

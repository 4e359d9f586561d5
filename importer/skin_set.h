// Skins from the bones that each mesh lists: one skin for all meshes whenever their bind poses agree.
#pragma once

#include <map>
#include <vector>

#include <assimp/mesh.h>

#include "node_tree.h"
#include "skincells/io/scene.h"

namespace skincells::importer {

// Where a mesh with bones ended up.
struct SkinPlacement {
  int skin = -1;
  Affine bind_from_mesh;       // the mesh's own space -> bind space of the skin; mostly the identity
  std::vector<int> bone_joint; // bone of the mesh -> index into the skin's joints
};

class SkinSet {
public:
  explicit SkinSet(NodeTree& tree, Warnings& warnings) : tree_(tree), warnings_(warnings) {}

  // Finds a skin for the mesh or makes one. Two meshes fit one skin when a single map of space takes the bind pose
  // of the one to that of the other over all bones that both have; the second mesh is then moved by that map.
  // `mesh_global` is the rest transform of the node that holds the mesh.
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
    Affine mesh_global; // of its first mesh
  };

  std::vector<Bone> bonesOf(const aiMesh& mesh, const Affine& mesh_global);
  int nodeOf(const aiBone& bone, const Affine& mesh_global);

  NodeTree& tree_;
  Warnings& warnings_;
  std::vector<Skin> skins_;
};

} // namespace skincells::importer

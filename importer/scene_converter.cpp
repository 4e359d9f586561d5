#include "scene_converter.h"

#include <map>
#include <unordered_set>
#include <vector>

#include "animation_converter.h"
#include "material_converter.h"
#include "mesh_converter.h"
#include "node_tree.h"
#include "skin_set.h"

namespace skincells::importer {
namespace {

using MeshIndices = std::vector<unsigned>;

// Adds the meshes of the source to nodes of the tree.
class MeshPlacer {
public:
  MeshPlacer(const aiScene& source, NodeTree& tree, Scene& out, Warnings& warnings)
      : source_(source), tree_(tree), out_(out), warnings_(warnings), skins_(tree, warnings) {
    for (unsigned m = 0; m < source.mNumMeshes; ++m)
      for (unsigned b = 0; b < source.mMeshes[m]->mNumBones; ++b)
        bone_names_.insert(source.mMeshes[m]->mBones[b]->mName.C_Str());
  }

  void placeAll() {
    // Nodes added during the loop have no meshes in the source.
    const std::size_t node_count = tree_.nodes.size();
    for (std::size_t n = 0; n < node_count; ++n)
      if (!tree_.chains[n].empty()) placeMeshesOf(n, *tree_.chains[n].back());
    out_.skins = skins_.takeSkins();
  }

private:
  void placeMeshesOf(std::size_t n, const aiNode& source) {
    MeshIndices rigid, skinned;
    for (unsigned i = 0; i < source.mNumMeshes; ++i) {
      const unsigned mesh = source.mMeshes[i];
      if (!source_.mMeshes[mesh]->HasBones())
        rigid.push_back(mesh);
      else if (placed_.insert(mesh).second) // the node does not move it, so a second copy would coincide with the first
        skinned.push_back(mesh);
    }
    if (!rigid.empty()) tree_.nodes[n].mesh = rigidMesh(tree_.nodes[n].name, rigid);
    const bool is_free = rigid.empty() && source.mNumChildren == 0 && bone_names_.count(tree_.nodes[n].name) == 0;
    placeSkinned(n, skinned, is_free);
  }

  // Nodes with the same list of meshes share one mesh.
  int rigidMesh(const std::string& name, const MeshIndices& meshes) {
    const auto [entry, is_new] = rigid_meshes_.try_emplace(meshes, -1);
    if (!is_new) return entry->second;
    SceneMesh out;
    out.name = name;
    for (unsigned m : meshes) addPrimitive(out, m, nullptr);
    return entry->second = addMesh(std::move(out));
  }

  // One mesh per skin; usually there is one skin.
  void placeSkinned(std::size_t n, const MeshIndices& meshes, bool node_is_free) {
    std::map<int, SceneMesh> by_skin;
    const Affine global = tree_.global[n];
    for (unsigned m : meshes) {
      const SkinPlacement placement = skins_.place(*source_.mMeshes[m], global);
      addPrimitive(by_skin[placement.skin], m, &placement);
    }
    for (auto& [skin, mesh] : by_skin) {
      SceneNode node;
      node.name = mesh.name = tree_.nodes[n].name;
      node.mesh = addMesh(std::move(mesh));
      if (node.mesh < 0) continue;
      node.skin = skin;
      if (node_is_free) {
        tree_.nodes[n] = node;
        tree_.chains[n].clear(); // its transform has no effect on a skinned mesh
        node_is_free = false;
      } else {
        node.name += " (skinned)";
        tree_.add(std::move(node), {});
      }
    }
  }

  void addPrimitive(SceneMesh& out, unsigned m, const SkinPlacement* placement) {
    const aiMesh& mesh = *source_.mMeshes[m];
    ScenePrimitive primitive = convertMesh(mesh, placement, warnings_);
    if (primitive.triangles.empty()) return;
    if (mesh.mMaterialIndex < out_.materials.size()) primitive.material = static_cast<int>(mesh.mMaterialIndex);
    out.primitives.push_back(std::move(primitive));
  }

  // -1 if it is empty.
  int addMesh(SceneMesh mesh) {
    if (mesh.primitives.empty()) return -1;
    out_.meshes.push_back(std::move(mesh));
    return static_cast<int>(out_.meshes.size()) - 1;
  }

  const aiScene& source_;
  NodeTree& tree_;
  Scene& out_;
  Warnings& warnings_;
  SkinSet skins_;
  std::unordered_set<std::string> bone_names_;
  std::unordered_set<unsigned> placed_;
  std::map<MeshIndices, int> rigid_meshes_;
};

} // namespace

Scene convertScene(const aiScene& scene, ConfinedFiles& files, Animations animations, Warnings& warnings) {
  Scene out;
  NodeTree tree = buildNodeTree(scene, warnings);
  convertMaterials(scene, files, out, warnings);
  MeshPlacer(scene, tree, out, warnings).placeAll();
  if (animations == Animations::Read)
    for (unsigned a = 0; a < scene.mNumAnimations; ++a)
      if (SceneAnimation clip = convertAnimation(*scene.mAnimations[a], tree); !clip.channels.empty())
        out.animations.push_back(std::move(clip));
  out.nodes = std::move(tree.nodes);
  return out;
}

} // namespace skincells::importer

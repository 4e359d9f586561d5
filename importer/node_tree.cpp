#include "node_tree.h"

#include <cmath>
#include <cstdint>

#include "affine_conversion.h"

namespace skincells::importer {
namespace {

bool isPivot(const aiNode& node) {
  return std::string_view(node.mName.C_Str()).find("_$AssimpFbx$_") != std::string_view::npos;
}

// Row `axis` of the identity, times the sign; zero if the axis is not 0, 1 or 2.
Vec3d signedAxis(std::int32_t axis, std::int32_t sign) {
  const double s = sign < 0 ? -1 : 1;
  return {axis == 0 ? s : 0, axis == 1 ? s : 0, axis == 2 ? s : 0};
}

// The global settings of an FBX file give the length of a unit in centimeters and the right, up and front axes; Assimp
// 5.2 leaves both to the caller. Its other readers apply units and axes to the root.
Affine toMetersYUp(const aiScene& scene) {
  Affine a;
  float centimeters = 0;
  if (scene.mMetaData == nullptr || !scene.mMetaData->Get("UnitScaleFactor", centimeters)) return a;
  std::int32_t up = 1, up_sign = 1, right = 0, right_sign = 1;
  scene.mMetaData->Get("UpAxis", up);
  scene.mMetaData->Get("UpAxisSign", up_sign);
  scene.mMetaData->Get("CoordAxis", right);
  scene.mMetaData->Get("CoordAxisSign", right_sign);
  Vec3d x = signedAxis(right, right_sign), y = signedAxis(up, up_sign);
  if (length(cross(x, y)) < 0.5) x = {1, 0, 0}, y = {0, 1, 0};
  // Right-handed by construction, so that the front axis cannot mirror the character.
  const Vec3d z = cross(x, y);
  const double meters = std::isfinite(centimeters) && centimeters > 0 ? static_cast<double>(centimeters) * 0.01 : 0.01;
  const Vec3d rows[3] = {x * meters, y * meters, z * meters};
  for (int r = 0; r < 3; ++r) a.m[r][0] = rows[r].x, a.m[r][1] = rows[r].y, a.m[r][2] = rows[r].z;
  return a;
}

void setTransform(SceneNode& node, const Trs& trs) {
  node.translation = trs.translation;
  node.rotation = trs.rotation;
  node.scale = trs.scale;
}

class TreeBuilder {
public:
  explicit TreeBuilder(Warnings& warnings) : warnings_(warnings) {}

  NodeTree build(const aiScene& scene) {
    const Affine conversion = toMetersYUp(scene);
    int parent = -1;
    if (conversion != Affine{}) {
      SceneNode top;
      top.name = "meters_y_up";
      setTransform(top, decompose(conversion));
      parent = tree_.add(std::move(top), {});
    }
    addSubtree(*scene.mRootNode, parent, {}, {});
    return std::move(tree_);
  }

private:
  void addSubtree(const aiNode& node, int parent, PivotChain chain, const Affine& above) {
    const Affine local = above * toAffine(node.mTransformation);
    chain.push_back(&node);
    if (isPivot(node)) {
      for (unsigned i = 0; i < node.mNumChildren; ++i) addSubtree(*node.mChildren[i], parent, chain, local);
      return;
    }
    const int index = tree_.add(sceneNode(node, parent, local), std::move(chain));
    for (unsigned i = 0; i < node.mNumChildren; ++i) addSubtree(*node.mChildren[i], index, {}, {});
  }

  SceneNode sceneNode(const aiNode& node, int parent, const Affine& local) {
    SceneNode out;
    out.name = node.mName.length > 0 ? node.mName.C_Str() : "node_" + std::to_string(tree_.nodes.size());
    out.parent = parent;
    const Trs trs = decompose(local);
    setTransform(out, trs);
    if (!local.isFinite())
      warnings_.push_back({"import.bad_transform", "the transform is not finite; the identity is used", out.name});
    else if (linearDifference(local, compose(trs)) > 1e-3)
      warnings_.push_back(
          {"import.shear", "the transform has shear, which glTF nodes do not support; the shear is lost", out.name});
    return out;
  }

  Warnings& warnings_;
  NodeTree tree_;
};

} // namespace

int NodeTree::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? -1 : found->second;
}

int NodeTree::add(SceneNode node, PivotChain chain) {
  const int index = static_cast<int>(nodes.size());
  const Affine local = compose({node.translation, node.rotation, node.scale});
  global.push_back(node.parent < 0 ? local : global[node.parent] * local);
  const auto has_meshes = [](const PivotChain& c) { return !c.empty() && c.back()->mNumMeshes > 0; };
  const auto [entry, is_new] = by_name_.try_emplace(node.name, index);
  if (!is_new && has_meshes(chains[entry->second]) && !has_meshes(chain)) entry->second = index;
  nodes.push_back(std::move(node));
  chains.push_back(std::move(chain));
  return index;
}

NodeTree buildNodeTree(const aiScene& scene, Warnings& warnings) {
  return TreeBuilder(warnings).build(scene);
}

} // namespace skincells::importer

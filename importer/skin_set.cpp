#include "skin_set.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "affine_conversion.h"

namespace skincells::importer {
namespace {

// Bind matrices are products of several matrices, stored in single precision.
constexpr double kTolerance = 1e-3;

bool usable(const Affine& a) {
  const double size = std::max({length(a.column(0)), length(a.column(1)), length(a.column(2))});
  return a.isFinite() && std::abs(a.determinant()) > 1e-9 * size * size * size;
}

double extentOf(const aiMesh& mesh) {
  Box box;
  for (unsigned v = 0; v < mesh.mNumVertices; ++v)
    if (const Vec3d p = toVec(mesh.mVertices[v]); isFinite(p)) box.add(p);
  return box.diagonal();
}

// Whether the two maps take points of a mesh of size `extent` to the same places.
bool agree(const Affine& a, const Affine& b, double extent) {
  const double reach = length(a.translation() - b.translation());
  return linearDifference(a, b) <= kTolerance && reach <= kTolerance * extent * std::cbrt(std::abs(a.determinant()));
}

} // namespace

int SkinSet::nodeOf(const aiBone& bone, const Affine& mesh_global) {
  const int found = tree_.find(bone.mName.C_Str());
  if (found >= 0) return found;
  SceneNode node;
  node.name = bone.mName.C_Str();
  const Trs trs = decompose(mesh_global * toAffine(bone.mOffsetMatrix).inverse());
  node.translation = trs.translation;
  node.rotation = trs.rotation;
  node.scale = trs.scale;
  warnings_.push_back({"import.bone_without_node", "no node has the name of this bone; a node was added", node.name});
  return tree_.add(std::move(node), {});
}

std::vector<SkinSet::Bone> SkinSet::bonesOf(const aiMesh& mesh, const Affine& mesh_global) {
  std::vector<Bone> bones;
  for (unsigned b = 0; b < mesh.mNumBones; ++b) {
    const aiBone& bone = *mesh.mBones[b];
    Bone out{nodeOf(bone, mesh_global), toAffine(bone.mOffsetMatrix)};
    if (!usable(out.joint_from_mesh)) {
      out.joint_from_mesh = tree_.global[out.node].inverse() * mesh_global;
      warnings_.push_back(
          {"import.bad_bind_matrix", "the bind matrix is singular; the rest pose is used instead", bone.mName.C_Str()});
    }
    bones.push_back(out);
  }
  return bones;
}

SkinPlacement SkinSet::place(const aiMesh& mesh, const Affine& mesh_global) {
  const std::vector<Bone> bones = bonesOf(mesh, mesh_global);
  const double extent = extentOf(mesh);

  // The map from mesh space to the skin's bind space, if there is one.
  const auto mapInto = [&](const Skin& skin) -> std::optional<Affine> {
    std::optional<Affine> map;
    for (const Bone& bone : bones) {
      const auto shared = skin.joint_of_node.find(bone.node);
      if (shared == skin.joint_of_node.end()) continue;
      const auto joint = static_cast<std::size_t>(shared->second);
      const Affine here = skin.out.inverse_bind_matrices[joint].inverse() * bone.joint_from_mesh;
      if (map && !agree(*map, here, extent)) return std::nullopt;
      if (!map) map = here;
    }
    // No bone in common: any map is valid; the one that keeps the parts together in rest pose is best.
    if (!map) map = usable(skin.mesh_global) ? skin.mesh_global.inverse() * mesh_global : Affine{};
    if (!usable(*map)) return std::nullopt;
    return agree(*map, Affine{}, extent) ? Affine{} : *map;
  };

  SkinPlacement placement;
  for (std::size_t s = 0; s < skins_.size() && placement.skin < 0; ++s)
    if (const auto map = mapInto(skins_[s])) placement.skin = static_cast<int>(s), placement.bind_from_mesh = *map;
  if (placement.skin < 0) {
    placement.skin = static_cast<int>(skins_.size());
    skins_.emplace_back().mesh_global = mesh_global;
  }

  Skin& skin = skins_[placement.skin];
  const Affine mesh_from_bind = placement.bind_from_mesh.inverse();
  for (const Bone& bone : bones) {
    const auto [entry, is_new] = skin.joint_of_node.try_emplace(bone.node, static_cast<int>(skin.out.joints.size()));
    if (is_new) {
      skin.out.joints.push_back(bone.node);
      skin.out.inverse_bind_matrices.push_back(bone.joint_from_mesh * mesh_from_bind);
    }
    placement.bone_joint.push_back(entry->second);
  }
  return placement;
}

std::vector<SceneSkin> SkinSet::takeSkins() {
  std::vector<SceneSkin> out;
  for (Skin& skin : skins_) out.push_back(std::move(skin.out));
  skins_.clear();
  return out;
}

} // namespace skincells::importer

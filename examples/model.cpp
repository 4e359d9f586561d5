#include "model.h"

#include <cmath>
#include <map>

#include "base/assert.h"
#include "skeleton_builder.h"

namespace skincells::examples {
namespace {

float linear(int srgb) {
  const double c = srgb / 255.0;
  return static_cast<float>(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
}

void addJointNodes(Scene& scene, const Skeleton& skeleton) {
  for (const Joint& joint : skeleton.joints) {
    SceneNode node;
    node.name = joint.name;
    node.parent = joint.parent;
    const Affine local = joint.parent < 0
                             ? joint.rest
                             : skeleton.joints[static_cast<std::size_t>(joint.parent)].rest.inverse() * joint.rest;
    node.translation = local.translation();
    node.rotation = quaternionOf(local);
    scene.nodes.push_back(std::move(node));
  }
}

void addSkin(Scene& scene, const Skeleton& skeleton) {
  SceneSkin skin;
  skin.name = "skin";
  for (int j = 0; j < skeleton.jointCount(); ++j) {
    skin.joints.push_back(j);
    skin.inverse_bind_matrices.push_back(skeleton.joints[static_cast<std::size_t>(j)].bind.inverse());
  }
  scene.skins.push_back(std::move(skin));
}

// The triangles of one material, with their vertices.
class PrimitiveBuilder {
public:
  PrimitiveBuilder(const Surface& surface, int material, Skinned skinned)
      : surface_(&surface), skinned_(skinned == Skinned::Yes), fresh_(surface.positions.size(), UINT32_MAX) {
    primitive_.material = material;
    if (skinned_) primitive_.weights.slots = surface.weights.slots;
  }

  void add(const Triangle& t) { primitive_.triangles.push_back({vertex(t[0]), vertex(t[1]), vertex(t[2])}); }
  ScenePrimitive take() { return std::move(primitive_); }

private:
  std::uint32_t vertex(std::uint32_t old) {
    if (fresh_[old] == UINT32_MAX) {
      fresh_[old] = static_cast<std::uint32_t>(primitive_.positions.size());
      primitive_.positions.push_back(toFloat(surface_->positions[old]));
      primitive_.normals.push_back(toFloat(surface_->normals[old]));
      if (skinned_) {
        const auto joints = surface_->weights.jointRow(old);
        const auto weights = surface_->weights.weightRow(old);
        primitive_.weights.joints.insert(primitive_.weights.joints.end(), joints.begin(), joints.end());
        primitive_.weights.weights.insert(primitive_.weights.weights.end(), weights.begin(), weights.end());
      }
    }
    return fresh_[old];
  }

  const Surface* surface_;
  bool skinned_;
  std::vector<std::uint32_t> fresh_;
  ScenePrimitive primitive_;
};

SceneMesh toMesh(const std::string& name, const Surface& surface, Skinned skinned) {
  SKINCELLS_ASSERT(skinned == Skinned::No || !surface.weights.empty());
  std::map<int, PrimitiveBuilder> builders;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    builders.try_emplace(surface.materials[t], surface, surface.materials[t], skinned)
        .first->second.add(surface.triangles[t]);
  SceneMesh mesh;
  mesh.name = name;
  for (auto& [index, builder] : builders) mesh.primitives.push_back(builder.take());
  return mesh;
}

// Removes unused materials.
void dropUnusedMaterials(Scene& scene) {
  std::map<int, int> kept; // old index -> new index
  std::vector<SceneMaterial> materials;
  for (SceneMesh& mesh : scene.meshes)
    for (ScenePrimitive& primitive : mesh.primitives) {
      const auto [entry, fresh] = kept.try_emplace(primitive.material, static_cast<int>(materials.size()));
      if (fresh) materials.push_back(scene.materials[static_cast<std::size_t>(primitive.material)]);
      primitive.material = entry->second;
    }
  scene.materials = std::move(materials);
}

} // namespace

SceneMaterial material(const std::string& name, int red, int green, int blue, float roughness, float metallic) {
  SceneMaterial m;
  m.name = name;
  m.base_color = {linear(red), linear(green), linear(blue), 1};
  m.roughness = roughness;
  m.metallic = metallic;
  return m;
}

Scene toScene(const Model& model, int lod, Skinned skinned) {
  Scene scene;
  scene.generator = "skincells examples";
  scene.materials = model.materials;
  scene.animations = model.clips;
  addJointNodes(scene, model.skeleton);
  if (skinned == Skinned::Yes) addSkin(scene, model.skeleton);
  for (const Part& part : model.parts) {
    const Surface& surface = part.lods[static_cast<std::size_t>(lod)];
    SceneNode node;
    node.name = part.name;
    node.mesh = static_cast<int>(scene.meshes.size());
    node.skin = skinned == Skinned::Yes ? 0 : -1;
    scene.meshes.push_back(toMesh(part.name, surface, skinned));
    scene.nodes.push_back(std::move(node));
  }
  dropUnusedMaterials(scene);
  return scene;
}

} // namespace skincells::examples

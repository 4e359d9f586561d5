// An example character in memory.
#pragma once

#include <string>
#include <vector>

#include "clips.h"
#include "skincells/io/scene.h"
#include "surface.h"

namespace skincells::examples {

// One mesh node.
struct Part {
  std::string name;
  LodSurfaces lods;
};

// Joint j of the skeleton becomes node j; joint 0 is the root.
struct Model {
  Skeleton skeleton;
  std::vector<SceneMaterial> materials;
  std::vector<Part> parts;
  std::vector<SceneAnimation> clips;
};

// Colors are given in sRGB, 0 .. 255, and stored in linear RGB.
SceneMaterial material(const std::string& name, int red, int green, int blue, float roughness = 0.8f,
                       float metallic = 0);

enum class Skinned { No, Yes };
// The scene of one level of detail. Skinned::Yes needs the weights of every part.
Scene toScene(const Model& model, int lod, Skinned skinned);

} // namespace skincells::examples

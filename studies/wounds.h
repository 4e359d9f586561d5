// Characters and files that are damaged so that the answer may change: whatever comes out must be a valid skin, or an
// error that says what is wrong.
#pragma once

#include <string>
#include <vector>

#include "skincells/io/scene.h"
#include "studies/dirt.h"

namespace skincells::studies {

// Broken surfaces, skeletons that do not fit, odd units, several characters.
const std::vector<Dirt>& wounds();

// The character as a scene without weights: its joints are nodes; where meshes have skeletons of their own, each has a
// skin that binds it to the first joint.
Scene sceneOf(const Character& character);

// Damage to the file of a character.
struct FileDamage {
  std::string name;
  // Changes the scene, or the bytes that were made from it; the other is null.
  void (*to_scene)(Scene& scene) = nullptr;
  void (*to_bytes)(std::vector<std::uint8_t>& glb) = nullptr;
};
const std::vector<FileDamage>& fileDamages();

} // namespace skincells::studies

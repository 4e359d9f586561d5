#include <cmath>

#include "characters.h"

namespace skincells::examples {

std::vector<std::uint8_t> brokenFile() {
  Scene scene;
  scene.generator = "skincells examples";
  scene.nodes.resize(3);
  scene.nodes[0].name = "skeleton";
  scene.nodes[1].name = "bone";
  scene.nodes[1].parent = 0;
  scene.nodes[1].translation = {0, 1, 0};
  scene.nodes[2].name = "body";
  scene.nodes[2].mesh = 0;
  ScenePrimitive primitive;
  for (int v = 0; v < 64; ++v)
    primitive.positions.push_back({static_cast<float>(v % 8), v % 5 == 4 ? NAN : static_cast<float>(v / 8), 0});
  for (std::uint32_t t = 0; t < 62; ++t) primitive.triangles.push_back({t, t + 1, t + 1000});
  scene.meshes.push_back({"body", {primitive}});
  std::vector<std::uint8_t> bytes = sceneToGlb(scene);
  bytes.resize(bytes.size() - 101); // ends within an index
  return bytes;
}

} // namespace skincells::examples

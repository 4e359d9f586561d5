// Writes small valid files as seeds for the fuzzers: fuzz_make_seeds FOLDER
#include <cstdio>
#include <fstream>
#include <string>

#include "skincells/io/scene.h"

namespace {

using namespace skincells;

// A strip of triangles over a chain of joints.
Scene strip(int joint_count, bool skinned, bool animated) {
  Scene scene;
  SceneNode mesh_node;
  mesh_node.name = "mesh";
  mesh_node.mesh = 0;
  mesh_node.skin = skinned ? 0 : -1;
  scene.nodes.push_back(mesh_node);
  SceneSkin skin;
  for (int j = 0; j < joint_count; ++j) {
    SceneNode node;
    node.name = "j" + std::to_string(j);
    node.parent = j == 0 ? -1 : j;
    node.translation = {0, j == 0 ? 0.0 : 1.0, 0};
    scene.nodes.push_back(node);
    skin.joints.push_back(j + 1);
    skin.inverse_bind_matrices.push_back(Affine::fromTranslation({0, -1.0 * j, 0}));
  }
  ScenePrimitive primitive;
  for (int v = 0; v < 2 * joint_count; ++v)
    primitive.positions.push_back({static_cast<float>(v % 2), static_cast<float>(v) / 2, 0});
  for (std::uint32_t t = 0; t + 2 < primitive.positions.size(); ++t) primitive.triangles.push_back({t, t + 1, t + 2});
  if (skinned) {
    primitive.weights = SparseWeights(primitive.positions.size(), 4);
    for (std::size_t v = 0; v < primitive.positions.size(); ++v) {
      primitive.weights.jointRow(v)[0] = static_cast<std::uint16_t>(v / 2);
      primitive.weights.weightRow(v)[0] = 1;
    }
    scene.skins.push_back(std::move(skin));
  }
  scene.meshes.push_back({"strip", {std::move(primitive)}});
  if (animated) {
    SceneChannel channel;
    channel.node = 1;
    channel.times = {0, 1};
    channel.values = {0, 0, 0, 1, 0, 0, 1, 0};
    scene.animations.push_back({"wave", {std::move(channel)}});
  }
  return scene;
}

// A triangle, with or without weights.
std::string triangle(const std::string& format, const std::string& body, bool weighted) {
  std::string text = "ply\nformat " + format + " 1.0\n";
  if (weighted) text += "comment skincells joint 0 hips\n";
  text += "element vertex 3\nproperty char x\nproperty char y\nproperty char z\n";
  if (weighted) text += "property uchar joint_0\nproperty uchar weight_0\n";
  return text + "element face 1\nproperty list char char vertex_indices\nend_header\n" + body;
}

template <class Bytes> bool save(const std::string& path, const Bytes& bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return static_cast<bool>(out);
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: fuzz_make_seeds FOLDER\n", stderr);
    return 1;
  }
  const std::string folder = argv[1];
  const bool done =
      save(folder + "/bare.glb", sceneToGlb(strip(2, false, false))) &&
      save(folder + "/skinned.glb", sceneToGlb(strip(3, true, false))) &&
      save(folder + "/animated.glb", sceneToGlb(strip(2, true, true))) &&
      save(folder + "/text.ply", triangle("ascii", "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", false)) &&
      save(folder + "/binary.ply", triangle("binary_little_endian", std::string("abcabdabe\3\0\1\2", 13), false)) &&
      save(folder + "/weighted.ply",
           triangle("binary_big_endian", std::string("abc\0\1abd\0\1abe\0\1\3\0\1\2", 19), true));
  return done ? 0 : 1;
}

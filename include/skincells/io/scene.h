// A scene built in memory and written as GLB, for importers, generators and programs that have arrays rather than
// files.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "skincells/math.h"
#include "skincells/mesh.h"
#include "skincells/weights.h"

namespace skincells {

struct SceneNode {
  std::string name;
  int parent = -1; // index of the parent node; parents precede their children
  Vec3d translation;
  std::array<double, 4> rotation{0, 0, 0, 1}; // quaternion x, y, z, w
  Vec3d scale{1, 1, 1};
  int mesh = -1; // index into Scene::meshes
  int skin = -1; // index into Scene::skins; only with a mesh
};

// An image, stored inside the GLB.
struct SceneImage {
  std::string name;
  std::string media_type; // "image/png" or "image/jpeg"
  std::vector<std::uint8_t> bytes;
};

struct SceneMaterial {
  std::string name;
  std::array<float, 4> base_color{1, 1, 1, 1}; // linear RGBA
  float metallic = 0, roughness = 0.8f;
  bool double_sided = false;
  int base_color_image = -1; // index into Scene::images; multiplies base_color
};

struct ScenePrimitive {
  std::vector<Vec3f> positions;
  std::vector<Vec3f> normals;            // empty, or one per vertex
  std::vector<std::array<float, 2>> uvs; // empty, or one per vertex
  std::vector<Triangle> triangles;
  SparseWeights weights; // empty, or one canonical row per vertex; joints index the skin's joint list
  int material = -1;
};

struct SceneMesh {
  std::string name;
  std::vector<ScenePrimitive> primitives;
};

struct SceneSkin {
  std::string name;
  std::vector<int> joints;                   // node indices
  std::vector<Affine> inverse_bind_matrices; // one per joint, or empty (identity)
};

struct SceneChannel {
  enum class Path { Translation, Rotation, Scale };
  int node = -1;
  Path path = Path::Rotation;
  std::vector<float> times;  // seconds, ascending
  std::vector<float> values; // 3 or 4 (x, y, z, w) numbers per key
};

struct SceneAnimation {
  std::string name;
  std::vector<SceneChannel> channels;
};

struct Scene {
  std::string generator;
  std::vector<SceneNode> nodes;
  std::vector<SceneMesh> meshes;
  std::vector<SceneMaterial> materials;
  std::vector<SceneImage> images;
  std::vector<SceneSkin> skins;
  std::vector<SceneAnimation> animations;
};

// The scene as a valid GLB file. Indices must be in range (checked only by assertion).
std::vector<std::uint8_t> sceneToGlb(const Scene& scene);

} // namespace skincells

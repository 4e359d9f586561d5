// glTF documents built accessor by accessor, so that a test can make any layout, including invalid ones.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "skincells/io/character_file.h"
#include "skincells/math.h"
#include "skincells/mesh.h"

namespace skincells::test {

using Json = nlohmann::ordered_json;

template <class T> std::vector<std::uint8_t> bytesOf(const std::vector<T>& values) {
  std::vector<std::uint8_t> out(values.size() * sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

class GltfBuilder {
public:
  GltfBuilder();

  // Each returns the index of the new element.
  int view(const std::vector<std::uint8_t>& bytes, int stride = 0);
  int accessor(int view, int component, const std::string& type, std::size_t count, std::size_t offset = 0);
  // A view and an accessor over it; the component type follows from T.
  template <class T> int data(const std::vector<T>& values, const std::string& type, bool normalized = false) {
    const int a = accessor(view(bytesOf(values)), componentOf(T{}), type, values.size() / columns(type));
    if (normalized) at("accessors", a)["normalized"] = true;
    return a;
  }
  int positions(const std::vector<Vec3f>& points); // with the required bounds
  int matrices(const std::vector<Affine>& list);
  int node(Json node); // becomes a root of the scene, until `adopt` makes it a child
  int mesh(Json primitive);
  int skin(const std::vector<int>& joints, int inverse_bind_matrices = -1);
  void adopt(int parent, int child);
  int add(const std::string& list, Json element);
  Json& at(const std::string& list, int index) { return json[list][static_cast<std::size_t>(index)]; }

  std::vector<std::uint8_t> glb() const;
  // As .gltf text with its buffer in a data URI, or in a separate file `uri`.
  std::string gltfInline() const;
  void save(const std::filesystem::path& path, const std::string& uri = "data.bin") const;
  // Reads the GLB; if this fails, the test fails and ends.
  CharacterFile read(const ReadOptions& options = {}) const;
  // The error of reading the GLB; the test fails if there is none.
  Error readError(const ReadOptions& options = {}) const;

  Json json;
  std::vector<std::uint8_t> binary;

private:
  static std::size_t columns(const std::string& type);
  static int componentOf(std::int8_t) { return 5120; }
  static int componentOf(std::uint8_t) { return 5121; }
  static int componentOf(std::int16_t) { return 5122; }
  static int componentOf(std::uint16_t) { return 5123; }
  static int componentOf(std::uint32_t) { return 5125; }
  static int componentOf(float) { return 5126; }
  Json finished() const;
};

// A tube along y, from 0 to 4, skinned rigidly to a chain of joints: node 0 is the mesh, nodes 1 .. n the joints
// (joint k at height 4k/n), skin 0, mesh 0, all in one primitive.
struct TubeParts {
  int position = -1, indices = -1, joints = -1, weights = -1, inverse_bind = -1;
  Mesh mesh;
};
struct TubeDocument : GltfBuilder {
  explicit TubeDocument(int joint_count = 4);
  Json& primitive() { return json["meshes"][0]["primitives"][0]; }
  Json& attributes() { return primitive()["attributes"]; }
  TubeParts parts;
};
// The same without skin, weights and inverse bind matrices.
struct BareTubeDocument : GltfBuilder {
  explicit BareTubeDocument(int joint_count = 4);
  TubeParts parts;
};

// One joint at the origin and one triangle strip of points along x, ready for other layouts of its attributes.
std::vector<Vec3f> zigzag(int count);
// Node 0 shows the primitive with a skin over node 1.
GltfBuilder oneJoint(const Json& primitive, GltfBuilder builder);

bool hasWarning(const CharacterFile& file, const std::string& code);
bool hasDefect(const CharacterFile& file, const std::string& code);

} // namespace skincells::test

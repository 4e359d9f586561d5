// A glTF document as typed data. Everything in it has been checked: indices are in range, node trees are trees, views
// lie inside their buffers. Data that the reader does not need is only in the JSON.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "skincells/math.h"
#include "skincells/result.h"

namespace skincells::io {

using Json = nlohmann::ordered_json;

enum class Component { I8 = 5120, U8 = 5121, I16 = 5122, U16 = 5123, U32 = 5125, F32 = 5126 };
std::size_t componentSize(Component component);

struct GltfBuffer {
  enum class Kind { Binary, External, Data, Fallback }; // GLB chunk, file, data URI, fallback without bytes
  Kind kind = Kind::Fallback;
  std::string uri;
  std::vector<std::uint8_t> bytes;
};

// EXT_meshopt_compression of a view.
struct MeshoptView {
  int buffer = 0;
  std::size_t offset = 0, length = 0, stride = 0, count = 0;
  std::string mode, filter;
};

struct GltfView {
  int buffer = 0;
  std::size_t offset = 0, length = 0, stride = 0; // stride 0: tightly packed
  std::optional<MeshoptView> meshopt;
};

struct GltfSparse {
  std::size_t count = 0;
  int index_view = 0, value_view = 0;
  std::size_t index_offset = 0, value_offset = 0;
  Component index_component = Component::U16;
};

struct GltfAccessor {
  int view = -1;
  std::size_t offset = 0, count = 0;
  Component component = Component::F32;
  bool normalized = false;
  int columns = 1; // numbers per element
  std::optional<GltfSparse> sparse;
};

struct GltfPrimitive {
  std::vector<std::pair<std::string, int>> attributes; // name -> accessor
  int indices = -1;
  int mode = 4;
  int material = -1;
  int target_count = 0;
  int draco_view = -1;                                       // view of KHR_draco_mesh_compression
  std::vector<std::pair<std::string, int>> draco_attributes; // name -> id inside the compressed data

  int attribute(std::string_view name) const; // accessor index or -1
};

struct GltfMesh {
  std::string name;
  std::vector<GltfPrimitive> primitives;
};

struct GltfNode {
  std::string name;
  int parent = -1;
  std::vector<int> children;
  Vec3d translation, scale{1, 1, 1};
  std::array<double, 4> rotation{0, 0, 0, 1};
  std::optional<Affine> matrix;
  int mesh = -1, skin = -1;
  bool has_camera = false, has_light = false;

  Affine local() const;
};

struct GltfSkin {
  std::string name;
  std::vector<int> joints;
  int inverse_bind_matrices = -1;
};

struct GltfSampler {
  int input = 0, output = 0;
  enum class Interpolation { Step, Linear, Cubic } interpolation = Interpolation::Linear;
};
struct GltfChannel {
  int sampler = 0, node = -1;
  enum class Path { Translation, Rotation, Scale } path = Path::Rotation;
};
struct GltfAnimation {
  std::string name;
  std::vector<GltfSampler> samplers;
  std::vector<GltfChannel> channels; // channels that move nodes; others are only in the JSON
};

struct GltfModel {
  std::vector<GltfBuffer> buffers;
  std::vector<GltfView> views;
  std::vector<GltfAccessor> accessors;
  std::vector<GltfMesh> meshes;
  std::vector<GltfNode> nodes;
  std::vector<GltfSkin> skins;
  std::vector<GltfAnimation> animations;
};

// By node: its transform to world space.
std::vector<Affine> worldTransforms(const std::vector<GltfNode>& nodes);

// Checks and reads the document. `buffers` are already loaded, one per entry of the document's "buffers". `where` names
// the file in errors.
Result<GltfModel> parseModel(const Json& json, std::vector<GltfBuffer> buffers, const std::string& where);

} // namespace skincells::io

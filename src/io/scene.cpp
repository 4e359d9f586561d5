#include "skincells/io/scene.h"

#include <cmath>
#include <cstring>

#include <nlohmann/json.hpp>

#include "base/assert.h"
#include "io/gltf/constants.h"
#include "io/gltf/glb.h"
#include "io/gltf/model.h"

namespace skincells {
namespace {

using nlohmann::ordered_json;

using io::Component;

// Collects the accessors of the document and their data.
class Builder {
public:
  ordered_json accessors = ordered_json::array(), views = ordered_json::array();
  std::vector<std::uint8_t> bytes;

  template <class T>
  int add(const std::vector<T>& values, std::size_t count, Component component, const char* type, int target = 0) {
    const std::size_t view = addView(values);
    if (target != 0) views.back()["target"] = target;
    accessors.push_back(
        {{"bufferView", view}, {"componentType", static_cast<int>(component)}, {"count", count}, {"type", type}});
    return static_cast<int>(accessors.size()) - 1;
  }

  template <class T> std::size_t addView(const std::vector<T>& values) {
    bytes.resize(io::alignTo4(bytes.size()));
    const std::size_t at = bytes.size(), size = values.size() * sizeof(T);
    bytes.resize(at + size);
    if (!values.empty()) std::memcpy(bytes.data() + at, values.data(), size);
    views.push_back({{"buffer", 0}, {"byteOffset", at}, {"byteLength", size}});
    return views.size() - 1;
  }

  int addVectors(const std::vector<Vec3f>& v, bool with_bounds) {
    const int index = add(v, v.size(), Component::F32, "VEC3", io::kArrayBuffer);
    if (with_bounds) {
      std::array<float, 3> lo{INFINITY, INFINITY, INFINITY}, hi{-INFINITY, -INFINITY, -INFINITY};
      for (const Vec3f& p : v) {
        const std::array<float, 3> a{p.x, p.y, p.z};
        for (std::size_t k = 0; k < 3; ++k) {
          lo[k] = std::fmin(lo[k], a[k]);
          hi[k] = std::fmax(hi[k], a[k]);
        }
      }
      accessors.back()["min"] = lo;
      accessors.back()["max"] = hi;
    }
    return index;
  }
};

void addWeights(Builder& b, const SparseWeights& w, ordered_json& attributes) {
  const std::size_t n = w.vertexCount();
  for (int set = 0; set * 4 < w.slots; ++set) {
    const auto joints = io::attributeSet<std::uint16_t>(
        n, w.slots, set, [&](std::size_t v, std::size_t slot) { return w.jointRow(v)[slot]; });
    const auto weights =
        io::attributeSet<float>(n, w.slots, set, [&](std::size_t v, std::size_t slot) { return w.weightRow(v)[slot]; });
    attributes[io::jointsAttribute(set)] = b.add(joints, n, Component::U16, "VEC4", io::kArrayBuffer);
    attributes[io::weightsAttribute(set)] = b.add(weights, n, Component::F32, "VEC4", io::kArrayBuffer);
  }
}

ordered_json primitiveJson(Builder& b, const ScenePrimitive& p) {
  SKINCELLS_ASSERT(p.normals.empty() || p.normals.size() == p.positions.size());
  SKINCELLS_ASSERT(p.uvs.empty() || p.uvs.size() == p.positions.size());
  SKINCELLS_ASSERT(p.weights.empty() || p.weights.vertexCount() == p.positions.size());
  ordered_json attributes;
  attributes["POSITION"] = b.addVectors(p.positions, true);
  if (!p.normals.empty()) attributes["NORMAL"] = b.addVectors(p.normals, false);
  if (!p.uvs.empty()) attributes["TEXCOORD_0"] = b.add(p.uvs, p.uvs.size(), Component::F32, "VEC2", io::kArrayBuffer);
  if (!p.weights.empty()) addWeights(b, p.weights, attributes);
  ordered_json j{{"attributes", attributes}};
  if (p.positions.size() < 65536) {
    std::vector<std::uint16_t> indices;
    for (const Triangle& t : p.triangles)
      for (auto v : t) indices.push_back(static_cast<std::uint16_t>(v));
    j["indices"] = b.add(indices, indices.size(), Component::U16, "SCALAR", io::kElementArrayBuffer);
  } else {
    j["indices"] = b.add(p.triangles, p.triangles.size() * 3, Component::U32, "SCALAR", io::kElementArrayBuffer);
  }
  if (p.material >= 0) j["material"] = p.material;
  return j;
}

ordered_json nodesJson(const Scene& scene, ordered_json& roots) {
  ordered_json nodes = ordered_json::array();
  for (const SceneNode& n : scene.nodes) {
    ordered_json j;
    if (!n.name.empty()) j["name"] = n.name;
    const Vec3d& t = n.translation;
    if (t != Vec3d{}) j["translation"] = {t.x, t.y, t.z};
    if (n.rotation != std::array<double, 4>{0, 0, 0, 1}) j["rotation"] = n.rotation;
    if (n.scale != Vec3d{1, 1, 1}) j["scale"] = {n.scale.x, n.scale.y, n.scale.z};
    if (n.mesh >= 0) j["mesh"] = n.mesh;
    if (n.skin >= 0) j["skin"] = n.skin;
    if (j.is_null()) j = ordered_json::object();
    nodes.push_back(std::move(j));
  }
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const int parent = scene.nodes[i].parent;
    SKINCELLS_ASSERT(parent < static_cast<int>(i));
    if (parent < 0)
      roots.push_back(i);
    else
      nodes[parent]["children"].push_back(i);
  }
  return nodes;
}

ordered_json animationJson(Builder& b, const SceneAnimation& animation) {
  static constexpr const char* kPaths[] = {"translation", "rotation", "scale"};
  ordered_json channels = ordered_json::array(), samplers = ordered_json::array();
  for (const SceneChannel& c : animation.channels) {
    const int input = b.add(c.times, c.times.size(), Component::F32, "SCALAR");
    b.accessors.back()["min"] = {c.times.front()};
    b.accessors.back()["max"] = {c.times.back()};
    const bool rotation = c.path == SceneChannel::Path::Rotation;
    const int output = b.add(c.values, c.times.size(), Component::F32, rotation ? "VEC4" : "VEC3");
    channels.push_back(
        {{"sampler", samplers.size()}, {"target", {{"node", c.node}, {"path", kPaths[static_cast<int>(c.path)]}}}});
    samplers.push_back({{"input", input}, {"interpolation", "LINEAR"}, {"output", output}});
  }
  ordered_json j;
  if (!animation.name.empty()) j["name"] = animation.name;
  j["channels"] = std::move(channels);
  j["samplers"] = std::move(samplers);
  return j;
}

ordered_json skinJson(Builder& b, const SceneSkin& skin) {
  ordered_json j;
  if (!skin.name.empty()) j["name"] = skin.name;
  if (!skin.inverse_bind_matrices.empty()) {
    std::vector<std::array<float, 16>> matrices;
    for (const Affine& a : skin.inverse_bind_matrices) matrices.push_back(io::toColumnMajor(a));
    j["inverseBindMatrices"] = b.add(matrices, matrices.size(), Component::F32, "MAT4");
  }
  j["joints"] = skin.joints;
  return j;
}

ordered_json materialJson(const SceneMaterial& m) {
  ordered_json j;
  if (!m.name.empty()) j["name"] = m.name;
  ordered_json& pbr = j["pbrMetallicRoughness"];
  pbr["baseColorFactor"] = m.base_color;
  if (m.base_color_image >= 0) pbr["baseColorTexture"] = {{"index", m.base_color_image}};
  pbr["metallicFactor"] = m.metallic;
  pbr["roughnessFactor"] = m.roughness;
  if (m.double_sided) j["doubleSided"] = true;
  return j;
}

// Adds one texture per image, with the same index.
void addImages(Builder& b, const Scene& scene, ordered_json& doc) {
  for (const SceneImage& image : scene.images) {
    ordered_json j;
    if (!image.name.empty()) j["name"] = image.name;
    j["mimeType"] = image.media_type;
    j["bufferView"] = b.addView(image.bytes);
    doc["textures"].push_back({{"source", doc["textures"].size()}});
    doc["images"].push_back(std::move(j));
  }
}

} // namespace

std::vector<std::uint8_t> sceneToGlb(const Scene& scene) {
  Builder b;
  ordered_json roots = ordered_json::array();
  ordered_json doc{{"asset", {{"version", "2.0"}, {"generator", scene.generator}}}, {"scene", 0}};
  ordered_json nodes = nodesJson(scene, roots);
  doc["scenes"] = ordered_json::array({{{"nodes", roots}}});
  doc["nodes"] = std::move(nodes);
  for (const SceneMaterial& m : scene.materials) doc["materials"].push_back(materialJson(m));
  addImages(b, scene, doc);
  for (const SceneMesh& m : scene.meshes) {
    ordered_json j;
    if (!m.name.empty()) j["name"] = m.name;
    j["primitives"] = ordered_json::array();
    for (const ScenePrimitive& p : m.primitives) j["primitives"].push_back(primitiveJson(b, p));
    doc["meshes"].push_back(std::move(j));
  }
  for (const SceneSkin& s : scene.skins) doc["skins"].push_back(skinJson(b, s));
  for (const SceneAnimation& a : scene.animations) doc["animations"].push_back(animationJson(b, a));
  if (!b.accessors.empty()) doc["accessors"] = std::move(b.accessors);
  if (!b.views.empty()) {
    doc["bufferViews"] = std::move(b.views);
    doc["buffers"] = ordered_json::array({{{"byteLength", b.bytes.size()}}});
  }
  // Names may have any encoding; JSON is UTF-8.
  return io::packGlb(doc.dump(-1, ' ', false, ordered_json::error_handler_t::replace), b.bytes);
}

} // namespace skincells

#include "skincells/io/scene.h"

#include <cstring>

#include <nlohmann/json.hpp>

#include "base/assert.h"
#include "io/gltf/glb.h"

namespace skincells {
namespace {

using nlohmann::ordered_json;

constexpr int kFloat = 5126, kU16 = 5123, kU32 = 5125;
constexpr int kArrayBuffer = 34962, kElementBuffer = 34963;

// Collects accessors and their bytes while the document is put together.
class Builder {
public:
  ordered_json accessors = ordered_json::array(), views = ordered_json::array();
  std::vector<std::uint8_t> bytes;

  template <class T>
  int add(const std::vector<T>& values, std::size_t count, int component, const char* type, int target = 0) {
    const std::size_t view = addView(values);
    if (target != 0) views.back()["target"] = target;
    accessors.push_back({{"bufferView", view}, {"componentType", component}, {"count", count}, {"type", type}});
    return static_cast<int>(accessors.size()) - 1;
  }

  template <class T> std::size_t addView(const std::vector<T>& values) {
    bytes.resize((bytes.size() + 3) & ~std::size_t{3});
    const std::size_t at = bytes.size(), size = values.size() * sizeof(T);
    bytes.resize(at + size);
    if (!values.empty()) std::memcpy(bytes.data() + at, values.data(), size);
    views.push_back({{"buffer", 0}, {"byteOffset", at}, {"byteLength", size}});
    return views.size() - 1;
  }

  int addVectors(const std::vector<Vec3f>& v, bool with_bounds) {
    const int index = add(v, v.size(), kFloat, "VEC3", kArrayBuffer);
    if (with_bounds) {
      std::array<float, 3> lo{INFINITY, INFINITY, INFINITY}, hi{-INFINITY, -INFINITY, -INFINITY};
      for (const Vec3f& p : v) {
        const std::array<float, 3> a{p.x, p.y, p.z};
        for (std::size_t k = 0; k < 3; ++k) lo[k] = std::fmin(lo[k], a[k]), hi[k] = std::fmax(hi[k], a[k]);
      }
      accessors.back()["min"] = lo;
      accessors.back()["max"] = hi;
    }
    return index;
  }
};

// One attribute set holds four slots; missing slots are joint 0 under weight 0.
void addWeights(Builder& b, const SparseWeights& w, ordered_json& attributes) {
  const std::size_t n = w.vertexCount();
  for (int set = 0; set * 4 < w.slots; ++set) {
    std::vector<std::uint16_t> joints(n * 4);
    std::vector<float> weights(n * 4);
    for (std::size_t v = 0; v < n; ++v)
      for (int k = 0; k < 4 && set * 4 + k < w.slots; ++k) {
        const auto slot = static_cast<std::size_t>(set * 4 + k);
        joints[v * 4 + static_cast<std::size_t>(k)] = w.jointRow(v)[slot];
        weights[v * 4 + static_cast<std::size_t>(k)] = w.weightRow(v)[slot];
      }
    attributes["JOINTS_" + std::to_string(set)] = b.add(joints, n, kU16, "VEC4", kArrayBuffer);
    attributes["WEIGHTS_" + std::to_string(set)] = b.add(weights, n, kFloat, "VEC4", kArrayBuffer);
  }
}

ordered_json primitiveJson(Builder& b, const ScenePrimitive& p) {
  SKINCELLS_ASSERT(p.normals.empty() || p.normals.size() == p.positions.size());
  SKINCELLS_ASSERT(p.uvs.empty() || p.uvs.size() == p.positions.size());
  SKINCELLS_ASSERT(p.weights.empty() || p.weights.vertexCount() == p.positions.size());
  ordered_json attributes;
  attributes["POSITION"] = b.addVectors(p.positions, true);
  if (!p.normals.empty()) attributes["NORMAL"] = b.addVectors(p.normals, false);
  if (!p.uvs.empty()) attributes["TEXCOORD_0"] = b.add(p.uvs, p.uvs.size(), kFloat, "VEC2", kArrayBuffer);
  if (!p.weights.empty()) addWeights(b, p.weights, attributes);
  ordered_json j{{"attributes", attributes}};
  if (p.positions.size() < 65536) {
    std::vector<std::uint16_t> indices;
    for (const Triangle& t : p.triangles)
      for (auto v : t) indices.push_back(static_cast<std::uint16_t>(v));
    j["indices"] = b.add(indices, indices.size(), kU16, "SCALAR", kElementBuffer);
  } else {
    j["indices"] = b.add(p.triangles, p.triangles.size() * 3, kU32, "SCALAR", kElementBuffer);
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
      nodes[static_cast<std::size_t>(parent)]["children"].push_back(i);
  }
  return nodes;
}

ordered_json animationJson(Builder& b, const SceneAnimation& animation) {
  static constexpr const char* kPaths[] = {"translation", "rotation", "scale"};
  ordered_json channels = ordered_json::array(), samplers = ordered_json::array();
  for (const SceneChannel& c : animation.channels) {
    const int input = b.add(c.times, c.times.size(), kFloat, "SCALAR");
    b.accessors.back()["min"] = {c.times.front()};
    b.accessors.back()["max"] = {c.times.back()};
    const bool rotation = c.path == SceneChannel::Path::Rotation;
    const int output = b.add(c.values, c.times.size(), kFloat, rotation ? "VEC4" : "VEC3");
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
    for (const Affine& a : skin.inverse_bind_matrices) {
      auto& m = matrices.emplace_back();
      for (std::size_t c = 0; c < 4; ++c)
        for (std::size_t r = 0; r < 4; ++r)
          m[c * 4 + r] = r < 3 ? static_cast<float>(a.m[r][c]) : (c == 3 ? 1.0f : 0.0f);
    }
    j["inverseBindMatrices"] = b.add(matrices, matrices.size(), kFloat, "MAT4");
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

// One texture per image, of the same index.
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
  // Names may come from files in any encoding; JSON is UTF-8.
  return io::packGlb(doc.dump(-1, ' ', false, ordered_json::error_handler_t::replace), b.bytes);
}

} // namespace skincells

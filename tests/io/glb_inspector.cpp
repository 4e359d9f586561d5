#include "io/glb_inspector.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "io/gltf/glb.h"

namespace skincells::test {
namespace {

template <class T> double readNumber(const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

} // namespace

GlbInspector::GlbInspector(const std::vector<std::uint8_t>& bytes) {
  const auto chunks = io::unpackGlb(bytes, "test");
  if (!chunks) return;
  json = nlohmann::json::parse(chunks->json);
  binary_.assign(chunks->binary.begin(), chunks->binary.end());
}

std::vector<double> GlbInspector::numbers(std::size_t accessor) const {
  const auto& a = json.at("accessors").at(accessor);
  const auto& view = json.at("bufferViews").at(a.at("bufferView").get<std::size_t>());
  const std::string type = a.at("type");
  const std::size_t width = type == "SCALAR" ? 1 : type == "MAT4" ? 16 : static_cast<std::size_t>(type.back() - '0');
  const int component = a.at("componentType");
  const std::size_t size = component == 5121 ? 1 : component == 5123 ? 2 : 4;
  const std::uint8_t* at = binary_.data() + view.at("byteOffset").get<std::size_t>();
  std::vector<double> out;
  for (std::size_t i = 0; i < width * a.at("count").get<std::size_t>(); ++i, at += size)
    out.push_back(component == 5126   ? readNumber<float>(at)
                  : component == 5121 ? *at
                  : component == 5123 ? readNumber<std::uint16_t>(at)
                                      : readNumber<std::uint32_t>(at));
  return out;
}

std::vector<Vec3d> GlbInspector::vectors(std::size_t accessor) const {
  const std::vector<double> n = numbers(accessor);
  std::vector<Vec3d> out;
  for (std::size_t i = 0; i + 2 < n.size(); i += 3) out.push_back({n[i], n[i + 1], n[i + 2]});
  return out;
}

Affine GlbInspector::localOf(std::size_t node) const {
  const auto& n = json.at("nodes").at(node);
  const auto t = n.value("translation", std::vector<double>{0, 0, 0}),
             s = n.value("scale", std::vector<double>{1, 1, 1}),
             r = n.value("rotation", std::vector<double>{0, 0, 0, 1});
  const double q[4] = {r[0], r[1], r[2], r[3]};
  return Affine::fromTrs({t[0], t[1], t[2]}, q, {s[0], s[1], s[2]});
}

Affine GlbInspector::globalOf(std::size_t node) const {
  for (std::size_t p = 0; p < json.at("nodes").size(); ++p) {
    const auto children = json.at("nodes")[p].value("children", std::vector<std::size_t>{});
    if (std::find(children.begin(), children.end(), node) != children.end()) return globalOf(p) * localOf(node);
  }
  return localOf(node);
}

int GlbInspector::find(const std::string& node_name) const {
  for (std::size_t n = 0; n < json.at("nodes").size(); ++n)
    if (json.at("nodes")[n].value("name", "") == node_name) return static_cast<int>(n);
  return -1;
}

template <class Action> void GlbInspector::forEachPrimitive(const Action& action) const {
  if (!json.contains("meshes")) return;
  for (const auto& mesh : json.at("meshes"))
    for (const auto& primitive : mesh.at("primitives")) action(primitive);
}

std::size_t GlbInspector::triangleCount() const {
  std::size_t n = 0;
  forEachPrimitive([&](const auto& p) { n += numbers(p.at("indices")).size() / 3; });
  return n;
}

std::size_t GlbInspector::distinctPositions() const {
  std::set<std::array<double, 3>> seen;
  forEachPrimitive([&](const auto& p) {
    for (const Vec3d& v : vectors(p.at("attributes").at("POSITION"))) seen.insert({v.x, v.y, v.z});
  });
  return seen.size();
}

int GlbInspector::mostInfluences() const {
  int most = 0;
  forEachPrimitive([&](const auto& p) {
    std::vector<int> used;
    for (const char* name : {"WEIGHTS_0", "WEIGHTS_1"}) {
      if (!p.at("attributes").contains(name)) continue;
      const auto weights = numbers(p.at("attributes").at(name));
      used.resize(weights.size() / 4);
      for (std::size_t i = 0; i < weights.size(); ++i) used[i / 4] += weights[i] > 0;
    }
    for (int u : used) most = std::max(most, u);
  });
  return most;
}

std::vector<Vec3d> GlbInspector::skinned(const nlohmann::json& attributes, const nlohmann::json& skin) const {
  std::vector<Affine> maps;
  const auto ibm = numbers(skin.at("inverseBindMatrices"));
  for (std::size_t j = 0; j < skin.at("joints").size(); ++j) {
    Affine inverse_bind;
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 4; ++c) inverse_bind.m[r][c] = ibm[j * 16 + c * 4 + r];
    maps.push_back(globalOf(skin.at("joints")[j]) * inverse_bind);
  }
  const auto positions = vectors(attributes.at("POSITION"));
  std::vector<Vec3d> out(positions.size());
  for (const char* set : {"0", "1"}) {
    if (!attributes.contains(std::string("JOINTS_") + set)) continue;
    const auto joints = numbers(attributes.at(std::string("JOINTS_") + set));
    const auto weights = numbers(attributes.at(std::string("WEIGHTS_") + set));
    for (std::size_t i = 0; i < weights.size(); ++i)
      out[i / 4] += maps[static_cast<std::size_t>(joints[i])].apply(positions[i / 4]) * weights[i];
  }
  return out;
}

std::vector<Vec3d> GlbInspector::worldPositions() const {
  std::vector<Vec3d> world;
  for (std::size_t n = 0; n < json.at("nodes").size(); ++n) {
    const auto& node = json.at("nodes")[n];
    if (!node.contains("mesh")) continue;
    const Affine global = globalOf(n);
    for (const auto& primitive : json.at("meshes")[node.at("mesh").get<std::size_t>()].at("primitives")) {
      const auto& attributes = primitive.at("attributes");
      const bool has_skin = node.contains("skin");
      std::vector<Vec3d> points = has_skin ? skinned(attributes, json.at("skins")[node.at("skin").get<std::size_t>()])
                                           : vectors(attributes.at("POSITION"));
      for (const Vec3d& p : points) world.push_back(has_skin ? p : global.apply(p));
    }
  }
  return world;
}

} // namespace skincells::test

#include "support/gltf_builder.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "io/gltf/glb.h"
#include "io/uri.h"
#include "support/files.h"
#include "support/shapes.h"

namespace skincells::test {
namespace {

constexpr double kHeight = 4;

std::vector<std::uint32_t> corners(const Mesh& mesh) {
  std::vector<std::uint32_t> out;
  for (const Triangle& t : mesh.triangles) out.insert(out.end(), t.begin(), t.end());
  return out;
}

void addChain(GltfBuilder& b, int joint_count) {
  for (int j = 0; j < joint_count; ++j) {
    const double step = kHeight / joint_count;
    const int node = b.node({{"name", "joint" + std::to_string(j)}, {"translation", {0, j == 0 ? 0.0 : step, 0}}});
    if (j > 0) b.adopt(node - 1, node);
  }
}

void addTube(GltfBuilder& b, TubeParts& parts) {
  parts.mesh = tube(kHeight, 0.4, 9, 6);
  parts.position = b.positions(parts.mesh.positions);
  const auto indices = corners(parts.mesh);
  parts.indices = b.data(std::vector<std::uint16_t>(indices.begin(), indices.end()), "SCALAR");
  b.mesh({{"attributes", {{"POSITION", parts.position}}}, {"indices", parts.indices}});
  b.node({{"name", "tube"}, {"mesh", 0}});
}

} // namespace

GltfBuilder::GltfBuilder() {
  json["asset"] = {{"version", "2.0"}, {"generator", "test"}};
  json["scene"] = 0;
  json["scenes"] = Json::array({{{"nodes", Json::array()}}});
}

std::size_t GltfBuilder::columns(const std::string& type) {
  return type == "SCALAR" ? 1 : type == "MAT4" ? 16 : static_cast<std::size_t>(type.back() - '0');
}

int GltfBuilder::add(const std::string& list, Json element) {
  json[list].push_back(std::move(element));
  return static_cast<int>(json[list].size()) - 1;
}

int GltfBuilder::view(const std::vector<std::uint8_t>& bytes, int stride) {
  binary.resize((binary.size() + 3) & ~std::size_t{3});
  Json v{{"buffer", 0}, {"byteOffset", binary.size()}, {"byteLength", bytes.size()}};
  if (stride > 0) v["byteStride"] = stride;
  binary.insert(binary.end(), bytes.begin(), bytes.end());
  return add("bufferViews", std::move(v));
}

int GltfBuilder::accessor(int view, int component, const std::string& type, std::size_t count, std::size_t offset) {
  Json a{{"componentType", component}, {"count", count}, {"type", type}};
  if (view >= 0) a["bufferView"] = view;
  if (offset > 0) a["byteOffset"] = offset;
  return add("accessors", std::move(a));
}

int GltfBuilder::positions(const std::vector<Vec3f>& points) {
  std::vector<float> numbers;
  Box box;
  for (const Vec3f& p : points) {
    numbers.insert(numbers.end(), {p.x, p.y, p.z});
    box.add(toDouble(p));
  }
  const int a = data(numbers, "VEC3");
  if (box.empty()) return a;
  at("accessors", a)["min"] = {box.lo.x, box.lo.y, box.lo.z};
  at("accessors", a)["max"] = {box.hi.x, box.hi.y, box.hi.z};
  return a;
}

int GltfBuilder::matrices(const std::vector<Affine>& list) {
  std::vector<float> numbers;
  for (const Affine& m : list)
    for (int c = 0; c < 4; ++c)
      for (int r = 0; r < 4; ++r) numbers.push_back(r < 3 ? static_cast<float>(m.m[r][c]) : (c == 3 ? 1.0f : 0.0f));
  return data(numbers, "MAT4");
}

int GltfBuilder::node(Json node) {
  const int index = add("nodes", std::move(node));
  json["scenes"][0]["nodes"].push_back(index);
  return index;
}

void GltfBuilder::adopt(int parent, int child) {
  at("nodes", parent)["children"].push_back(child);
  Json& roots = json["scenes"][0]["nodes"];
  roots.erase(std::remove(roots.begin(), roots.end(), Json(child)), roots.end());
}

int GltfBuilder::mesh(Json primitive) {
  return add("meshes", {{"primitives", Json::array({std::move(primitive)})}});
}

int GltfBuilder::skin(const std::vector<int>& joints, int inverse_bind_matrices) {
  Json s{{"joints", joints}};
  if (inverse_bind_matrices >= 0) s["inverseBindMatrices"] = inverse_bind_matrices;
  return add("skins", std::move(s));
}

Json GltfBuilder::finished() const {
  Json out = json;
  if (!out.contains("buffers") && !binary.empty()) out["buffers"] = Json::array({{{"byteLength", binary.size()}}});
  return out;
}

std::vector<std::uint8_t> GltfBuilder::glb() const {
  return io::packGlb(finished().dump(), binary);
}

std::string GltfBuilder::gltfInline() const {
  Json out = finished();
  out["buffers"][0]["uri"] = io::encodeDataUri(binary, "application/octet-stream");
  return out.dump();
}

void GltfBuilder::save(const std::filesystem::path& path, const std::string& uri) const {
  Json out = finished();
  out["buffers"][0]["uri"] = uri;
  writeText(path, out.dump());
  const auto file = io::relativePathOfUri(uri, "test");
  writeBytes(path.parent_path() / (file ? *file : uri), binary);
}

CharacterFile GltfBuilder::read(const ReadOptions& options) const {
  auto file = CharacterFile::readGlb(glb(), "test.glb", options);
  if (!file) throw std::runtime_error(file.error().text()); // GoogleTest reports it as a failure
  return std::move(*file);
}

Error GltfBuilder::readError(const ReadOptions& options) const {
  const auto file = CharacterFile::readGlb(glb(), "test.glb", options);
  EXPECT_FALSE(file) << "was read without an error";
  return file ? Error{} : file.error();
}

TubeDocument::TubeDocument(int joint_count) {
  addTube(*this, parts);
  addChain(*this, joint_count);
  std::vector<Affine> inverse;
  std::vector<int> nodes;
  for (int j = 0; j < joint_count; ++j) {
    inverse.push_back(Affine::fromTranslation({0, -kHeight * j / joint_count, 0}));
    nodes.push_back(j + 1);
  }
  parts.inverse_bind = matrices(inverse);
  skin(nodes, parts.inverse_bind);
  std::vector<std::uint8_t> joints;
  std::vector<float> weights;
  for (const Vec3f& p : parts.mesh.positions) {
    const int j = std::min(static_cast<int>(p.y / kHeight * joint_count), joint_count - 1);
    joints.insert(joints.end(), {static_cast<std::uint8_t>(j), 0, 0, 0});
    weights.insert(weights.end(), {1, 0, 0, 0});
  }
  parts.joints = data(joints, "VEC4");
  parts.weights = data(weights, "VEC4");
  attributes()["JOINTS_0"] = parts.joints;
  attributes()["WEIGHTS_0"] = parts.weights;
  at("nodes", 0)["skin"] = 0;
}

BareTubeDocument::BareTubeDocument(int joint_count) {
  addTube(*this, parts);
  addChain(*this, joint_count);
}

std::vector<Vec3f> zigzag(int count) {
  std::vector<Vec3f> out;
  for (int i = 0; i < count; ++i) out.push_back({static_cast<float>(i), static_cast<float>(i % 2), 0});
  return out;
}

GltfBuilder oneJoint(const Json& primitive, GltfBuilder builder) {
  builder.mesh(primitive);
  builder.node({{"name", "mesh"}, {"mesh", 0}, {"skin", 0}});
  builder.node({{"name", "root"}});
  builder.skin({1}, builder.matrices({Affine{}}));
  return builder;
}

bool hasWarning(const CharacterFile& file, const std::string& code) {
  return std::any_of(file.warnings().begin(), file.warnings().end(), [&](const Warning& w) { return w.code == code; });
}

bool hasDefect(const CharacterFile& file, const std::string& code) {
  return std::any_of(file.skinDefects().begin(), file.skinDefects().end(),
                     [&](const Defect& d) { return d.code == code; });
}

} // namespace skincells::test

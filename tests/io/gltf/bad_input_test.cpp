// Invalid files: each leads to an error that says where and what to do, or to a warning and a valid result.
#include <chrono>
#include <limits>

#include <gtest/gtest.h>

#include "io/gltf/glb.h"
#include "skincells/bind.h"
#include "skincells/io/character_file.h"
#include "support/files.h"
#include "support/gltf_builder.h"

namespace fs = std::filesystem;

namespace skincells::test {
namespace {

void expectError(const Error& error, ErrorCode code, const std::string& where, const std::string& word) {
  EXPECT_EQ(errorName(error.code), errorName(code)) << error.text();
  EXPECT_EQ(error.where, where) << error.text();
  EXPECT_NE(error.message.find(word), std::string::npos) << error.text();
}

Error errorOf(const std::vector<std::uint8_t>& bytes) {
  const auto file = CharacterFile::readGlb(bytes, "bad.glb");
  EXPECT_FALSE(file);
  return file ? Error{} : file.error();
}

TEST(BadInput, EmptyAndGarbage) {
  expectError(errorOf({}), ErrorCode::InvalidFile, "bad.glb", "empty");
  expectError(errorOf(std::vector<std::uint8_t>(5, 'x')), ErrorCode::InvalidFile, "bad.glb", "truncated");
  expectError(errorOf(std::vector<std::uint8_t>(500, 'x')), ErrorCode::InvalidFile, "bad.glb", "not a GLB");
  const std::string text = "{\"asset\": nonsense";
  expectError(errorOf({text.begin(), text.end()}), ErrorCode::InvalidFile, "bad.glb", "damaged");
  const std::string list = "{}";
  EXPECT_EQ(errorOf({list.begin(), list.end()}).where, "bad.glb#/asset");
}

TEST(BadInput, WrongHeader) {
  std::vector<std::uint8_t> glb = TubeDocument(2).glb(), changed = glb;
  changed[0] = 'G';
  expectError(errorOf(changed), ErrorCode::InvalidFile, "bad.glb", "'glTF'");
  changed = glb;
  changed[4] = 1;
  expectError(errorOf(changed), ErrorCode::UnsupportedFeature, "bad.glb", "2.0");
  changed = glb;
  changed[11] = 0x7F; // declares two billion bytes
  expectError(errorOf(changed), ErrorCode::InvalidFile, "bad.glb", "truncated");
  changed = glb;
  changed[15] = 0x7F;
  expectError(errorOf(changed), ErrorCode::InvalidFile, "bad.glb", "past the end");
  changed = glb;
  changed[16] = 'X';
  expectError(errorOf(changed), ErrorCode::InvalidFile, "bad.glb", "not JSON");
}

TEST(BadInput, OtherVersionsAndExtensions) {
  TubeDocument b(2);
  b.json["asset"]["version"] = "1.0";
  expectError(b.readError(), ErrorCode::UnsupportedFeature, "test.glb#/asset", "2.0");
  b.json["asset"]["version"] = "2.0";
  b.json["extensionsRequired"] = {"KHR_materials_unlit", "ACME_vertex_magic"};
  expectError(b.readError(), ErrorCode::UnsupportedFeature, "test.glb#/extensionsRequired/1", "ACME_vertex_magic");
  b.json["extensionsRequired"] = {"KHR_texture_basisu"}; // images are not read
  EXPECT_EQ(b.read().character().skeleton.jointCount(), 2);
}

TEST(BadInput, TruncatedAnywhere) {
  const std::vector<std::uint8_t> glb = TubeDocument(2).glb();
  for (std::size_t n = 0; n < glb.size(); ++n) {
    const auto file = CharacterFile::readGlb(std::span(glb).first(n), "cut.glb");
    ASSERT_FALSE(file) << "cut after " << n << " bytes";
    EXPECT_EQ(file.error().code, ErrorCode::InvalidFile);
    EXPECT_EQ(file.error().where.rfind("cut.glb", 0), 0U);
  }
}

TEST(BadInput, MissingBuffers) {
  const TubeDocument b(2);
  const TemporaryFolder folder;
  b.save(folder.path("a.gltf"));
  fs::remove(folder.path("data.bin"));
  const auto missing = CharacterFile::read(folder.path("a.gltf").string());
  ASSERT_FALSE(missing);
  expectError(missing.error(), ErrorCode::FileNotFound, folder.path("a.gltf").string() + "#/buffers/0/uri", "data.bin");
  writeText(folder.path("data.bin"), "short");
  const auto cut = CharacterFile::read(folder.path("a.gltf").string());
  ASSERT_FALSE(cut);
  expectError(cut.error(), ErrorCode::InvalidFile, folder.path("a.gltf").string() + "#/buffers/0", "truncated");
  const auto nothing = CharacterFile::read(folder.path("nothing.glb").string());
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::FileNotFound);
  const auto directory = CharacterFile::read(folder.path("").string());
  ASSERT_FALSE(directory);
  EXPECT_NE(directory.error().message.find("folder"), std::string::npos);
}

TEST(BadInput, EscapingReferences) {
  const TubeDocument b(2);
  const TemporaryFolder folder;
  for (const char* uri :
       {"../../etc/passwd", "/etc/passwd", "..", "a/../../x.bin", "%2e%2e/x.bin", "%2Fetc%2Fpasswd", "..\\x.bin",
        "C:\\x.bin", "http://example.com/x.bin", "file:///etc/passwd", "//host/x.bin", "x%00.bin", "x%zz.bin", "."}) {
    Json json = b.json;
    json["buffers"] = Json::array({{{"byteLength", b.binary.size()}, {"uri", uri}}});
    writeText(folder.path("a.gltf"), json.dump());
    const auto file = CharacterFile::read(folder.path("a.gltf").string());
    ASSERT_FALSE(file) << uri;
    EXPECT_EQ(file.error().where, folder.path("a.gltf").string() + "#/buffers/0/uri") << uri;
    const bool is_folder = std::string(uri) == ".";
    EXPECT_EQ(errorName(file.error().code), errorName(is_folder ? ErrorCode::FileNotFound : ErrorCode::UnsafeReference))
        << uri << ": " << file.error().text();
  }
  TubeDocument from_memory(2);
  from_memory.json["buffers"] = Json::array({{{"byteLength", 4}, {"uri", "data.bin"}}});
  EXPECT_EQ(from_memory.readError().code, ErrorCode::UnsafeReference);
}

TEST(BadInput, DamagedDataUris) {
  TubeDocument b(2);
  for (const char* uri : {"data:application/octet-stream;base64,@@@@", "data:text/plain,hello", "data:"}) {
    b.json["buffers"] = Json::array({{{"byteLength", 3}, {"uri", uri}}});
    expectError(b.readError(), ErrorCode::InvalidFile, "test.glb#/buffers/0/uri", "base64");
  }
}

TEST(BadInput, ReferencesOutOfRange) {
  const auto errorAfter = [](const auto& damage) {
    TubeDocument b(2);
    damage(b);
    const Error e = b.readError();
    EXPECT_EQ(e.code, ErrorCode::InvalidFile);
    return e.where;
  };
  EXPECT_EQ(errorAfter([](auto& b) { b.attributes()["POSITION"] = 99; }),
            "test.glb#/meshes/0/primitives/0/attributes/POSITION");
  EXPECT_EQ(errorAfter([](auto& b) { b.attributes()["POSITION"] = -1; }),
            "test.glb#/meshes/0/primitives/0/attributes/POSITION");
  EXPECT_EQ(errorAfter([](auto& b) { b.attributes()["POSITION"] = "0"; }),
            "test.glb#/meshes/0/primitives/0/attributes/POSITION");
  EXPECT_EQ(errorAfter([](auto& b) { b.attributes().erase("POSITION"); }), "test.glb#/meshes/0/primitives/0");
  EXPECT_EQ(errorAfter([](auto& b) { b.attributes()[std::string("NO\0NE", 5)] = 0; }),
            "test.glb#/meshes/0/primitives/0/attributes");
  EXPECT_EQ(errorAfter([](auto& b) { b.at("accessors", 0)["bufferView"] = 1000; }), "test.glb#/accessors/0/bufferView");
  EXPECT_EQ(errorAfter([](auto& b) { b.at("accessors", 0)["count"] = 10000; }), "test.glb#/accessors/0");
  EXPECT_EQ(errorAfter([](auto& b) { b.at("accessors", 0)["byteOffset"] = 1 << 30; }), "test.glb#/accessors/0");
  EXPECT_EQ(errorAfter([](auto& b) { b.at("accessors", 0)["componentType"] = 5124; }),
            "test.glb#/accessors/0/componentType");
  EXPECT_EQ(errorAfter([](auto& b) { b.at("accessors", 0)["type"] = "VEC5"; }), "test.glb#/accessors/0/type");
  EXPECT_EQ(errorAfter([](auto& b) { b.at("accessors", 0)["type"] = "VEC2"; }), "test.glb#/accessors/0");
  EXPECT_EQ(errorAfter([](auto& b) { b.at("bufferViews", 0)["byteLength"] = 1 << 30; }), "test.glb#/bufferViews/0");
  EXPECT_EQ(errorAfter([](auto& b) { b.at("bufferViews", 0)["buffer"] = 3; }), "test.glb#/bufferViews/0/buffer");
  EXPECT_EQ(errorAfter([](auto& b) { b.at("nodes", 0)["mesh"] = 3; }), "test.glb#/nodes/0/mesh");
  EXPECT_EQ(errorAfter([](auto& b) { b.at("nodes", 0)["skin"] = 3; }), "test.glb#/nodes/0/skin");
  EXPECT_EQ(errorAfter([](auto& b) { b.at("nodes", 0)["children"] = {77}; }), "test.glb#/nodes/0/children/0");
  EXPECT_EQ(errorAfter([](auto& b) { b.at("nodes", 1)["translation"] = {1, 2}; }), "test.glb#/nodes/1/translation");
  EXPECT_EQ(errorAfter([](auto& b) { b.at("skins", 0)["joints"] = {1, 99}; }), "test.glb#/skins/0/joints/1");
  EXPECT_EQ(errorAfter([](auto& b) { b.at("skins", 0)["joints"] = {1, 1}; }), "test.glb#/skins/0/joints/1");
  EXPECT_EQ(errorAfter([](auto& b) { b.at("skins", 0)["joints"] = Json::array(); }), "test.glb#/skins/0");
  EXPECT_EQ(errorAfter([](auto& b) { b.at("skins", 0)["inverseBindMatrices"] = 0; }),
            "test.glb#/skins/0/inverseBindMatrices");
  EXPECT_EQ(errorAfter([](auto& b) { b.json["nodes"] = 7; }), "test.glb#/nodes");
  EXPECT_EQ(errorAfter([](auto& b) { b.json["nodes"][0] = 7; }), "test.glb#/nodes/0");
}

TEST(BadInput, VertexIndicesOutOfRange) {
  TubeDocument b(2);
  b.primitive()["indices"] = b.data(std::vector<std::uint16_t>{0, 1, 9999}, "SCALAR");
  expectError(b.readError(), ErrorCode::InvalidFile, "test.glb#/meshes/0/primitives/0/indices", "9999");
  TubeDocument floats(2);
  floats.primitive()["indices"] = floats.data(std::vector<float>{0, 1, 2}, "SCALAR");
  EXPECT_EQ(floats.readError().code, ErrorCode::InvalidFile);
}

TEST(BadInput, SparseDataOutOfRange) {
  TubeDocument b(2);
  const int indices = b.view(bytesOf(std::vector<std::uint16_t>{60000}));
  const int values = b.view(bytesOf(std::vector<float>{1, 2, 3}));
  Json& a = b.at("accessors", b.parts.position);
  a["sparse"] = {{"count", 1},
                 {"indices", {{"bufferView", indices}, {"componentType", 5123}}},
                 {"values", {{"bufferView", values}}}};
  expectError(b.readError(), ErrorCode::InvalidFile, "test.glb#/accessors/0", "out of range");
  a["sparse"]["count"] = 3;
  expectError(b.readError(), ErrorCode::InvalidFile, "test.glb#/accessors/0/sparse", "past the end");
}

TEST(BadInput, AbsurdCountsAreRefusedBeforeAllocating) {
  TubeDocument b(2);
  b.at("accessors", 0)["count"] = 4'000'000'000;
  expectError(b.readError(), ErrorCode::TooLarge, "test.glb#/accessors/0", "4000000000");
  // Without a view the numbers are zero, so a small file can declare many.
  TubeDocument implied(2);
  implied.at("accessors", 0).erase("bufferView");
  implied.at("accessors", 0)["count"] = 100'000'000;
  expectError(implied.readError(), ErrorCode::TooLarge, "test.glb#/accessors/0", "100000000");

  TubeDocument packed(2);
  const int source = packed.view(std::vector<std::uint8_t>(64, 0xA0));
  packed.at("bufferViews", 0)["byteLength"] = std::size_t{1} << 35U;
  packed.at("bufferViews", 0)["extensions"]["EXT_meshopt_compression"] = {
      {"buffer", 0},      {"byteOffset", packed.at("bufferViews", source)["byteOffset"]},
      {"byteLength", 64}, {"byteStride", 256},
      {"count", 1 << 26}, {"mode", "ATTRIBUTES"}};
  EXPECT_EQ(packed.readError().code, ErrorCode::TooLarge);
  // A view that only declares a large size takes no memory either.
  packed.at("bufferViews", 0)["extensions"]["EXT_meshopt_compression"]["count"] = 4;
  EXPECT_EQ(packed.readError().code, ErrorCode::InvalidFile);
}

TEST(BadInput, DeepNesting) {
  const std::string deep = "{\"asset\": {\"version\": \"2.0\"}, \"extras\": " + std::string(1'000'000, '[') +
                           std::string(1'000'000, ']') + "}";
  expectError(errorOf({deep.begin(), deep.end()}), ErrorCode::InvalidFile, "bad.glb", "deep");
}

TEST(BadInput, CyclicAndSharedNodes) {
  TubeDocument cycle(3);
  cycle.at("nodes", 3)["children"] = {1};
  const Error e = cycle.readError();
  EXPECT_EQ(e.code, ErrorCode::InvalidFile);
  EXPECT_NE(e.message.find("cycle"), std::string::npos);
  TubeDocument self(2);
  self.at("nodes", 0)["children"] = {0};
  expectError(self.readError(), ErrorCode::InvalidFile, "test.glb#/nodes/0", "cycle");
  TubeDocument shared(2);
  shared.at("nodes", 0)["children"] = {2};
  expectError(shared.readError(), ErrorCode::InvalidFile, "test.glb#/nodes/2", "two nodes");
}

TEST(BadInput, PositionsThatAreNotNumbers) {
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    TubeDocument b(2);
    std::vector<Vec3f> points = b.parts.mesh.positions;
    points[17].y = bad;
    b.attributes()["POSITION"] = b.data(bytesOf(points), "SCALAR");
    Json& a = b.json["accessors"].back();
    a["componentType"] = 5126, a["type"] = "VEC3", a["count"] = points.size();
    expectError(b.readError(), ErrorCode::InvalidFile, "test.glb#/meshes/0/primitives/0/attributes/POSITION",
                "vertex 17");
  }
}

TEST(BadInput, NothingToSkin) {
  GltfBuilder nothing;
  nothing.node({{"name", "alone"}});
  expectError(nothing.readError(), ErrorCode::NoMesh, "test.glb", "no mesh");
  TubeDocument empty(2);
  empty.json["meshes"][0]["primitives"] = Json::array();
  expectError(empty.readError(), ErrorCode::NoMesh, "test.glb", "no mesh");
  TubeDocument hollow(2);
  for (const char* name : {"POSITION", "JOINTS_0", "WEIGHTS_0"})
    hollow.json["accessors"][hollow.attributes()[name].get<std::size_t>()]["count"] = 0;
  hollow.primitive().erase("indices");
  expectError(hollow.readError(), ErrorCode::NoMesh, "test.glb", "no mesh");
}

// Small files that refer to the same data many times, or to data that is not there. The limit of time tells a hang from
// slow sanitizers.
class Bombs : public testing::Test {
protected:
  Bombs() : start_(std::chrono::steady_clock::now()) {}
  ~Bombs() override { EXPECT_LT(std::chrono::steady_clock::now() - start_, std::chrono::seconds(60)); }

  // An accessor that is all zeros and takes no space.
  static int zeros(GltfBuilder& b, std::size_t count, const std::string& type, int component = 5126) {
    return b.add("accessors", {{"componentType", component}, {"count", count}, {"type", type}});
  }
  static void expectTooLarge(const GltfBuilder& b) {
    const Error error = b.readError();
    EXPECT_EQ(errorName(error.code), errorName(ErrorCode::TooLarge)) << error.text();
  }

  std::chrono::steady_clock::time_point start_;
};

TEST_F(Bombs, PrimitivesThatAreNothingButZeros) {
  TubeDocument b(2);
  for (int i = 0; i < 500; ++i)
    b.json["meshes"][0]["primitives"].push_back({{"attributes", {{"POSITION", zeros(b, 1'500'000, "VEC3")}}}});
  expectTooLarge(b);
}

TEST_F(Bombs, PrimitivesThatShareTheirIndices) {
  TubeDocument b(2);
  const int indices = zeros(b, 3'000'000, "SCALAR", 5125);
  const Json primitive = b.primitive();
  for (int i = 0; i < 500; ++i) {
    b.json["meshes"][0]["primitives"].push_back(primitive);
    b.json["meshes"][0]["primitives"].back()["indices"] = indices;
  }
  expectTooLarge(b);
}

TEST_F(Bombs, SkinsThatShareTheirMatrices) {
  TubeDocument b(2);
  b.json["skins"][0]["inverseBindMatrices"] = zeros(b, 1'000'000, "MAT4");
  for (int i = 0; i < 200; ++i) b.json["skins"].push_back(b.json["skins"][0]);
  expectTooLarge(b);
}

TEST_F(Bombs, ChannelsThatShareTheirKeys) {
  TubeDocument b(2);
  const int times = zeros(b, 1'000'000, "SCALAR"), values = zeros(b, 1'000'000, "VEC4");
  Json channels = Json::array();
  for (int i = 0; i < 500; ++i) channels.push_back({{"sampler", 0}, {"target", {{"node", 1}, {"path", "rotation"}}}});
  b.json["animations"] = Json::array(
      {{{"samplers", Json::array({{{"input", times}, {"output", values}}})}, {"channels", std::move(channels)}}});
  expectTooLarge(b);
}

TEST_F(Bombs, NodesThatShareAMesh) {
  BareTubeDocument b(2);
  b.at("accessors", b.parts.position) = {{"componentType", 5126}, {"count", 1'000'000}, {"type", "VEC3"}};
  for (int i = 0; i < 500; ++i) b.node({{"mesh", 0}, {"translation", {i + 1, 0, 0}}});
  expectTooLarge(b);
}

// What exporters do: many primitives over one set of vertices.
TEST_F(Bombs, SharedVerticesAreFine) {
  TubeDocument b(2);
  const Json primitive = b.primitive();
  for (int i = 0; i < 500; ++i) b.json["meshes"][0]["primitives"].push_back(primitive);
  EXPECT_EQ(b.read().character().mesh.vertexCount(), b.parts.mesh.vertexCount());
}

// Lists whose entries are cheap, but not if each is compared with each.
TEST_F(Bombs, ManySkinsAndNodes) {
  TubeDocument b(2);
  for (int i = 0; i < 4000; ++i) {
    const int joint = b.node({{"translation", {0, i, 0}}});
    b.node({{"mesh", 0}, {"skin", b.skin({1, joint})}});
  }
  const auto file = CharacterFile::readGlb(b.glb(), "many.glb");
  EXPECT_TRUE(file || file.error().code == ErrorCode::TooLarge) << file.error().text();
}

TEST_F(Bombs, ALongChainOfNodes) {
  TubeDocument b(2);
  int last = 1;
  std::vector<int> joints{1};
  for (int i = 0; i < 30'000; ++i) {
    const int next = b.node({{"translation", {0, 0.001, 0}}});
    b.adopt(last, next);
    if (i % 2 == 1) joints.push_back(next);
    last = next;
  }
  b.json["skins"][0]["joints"] = joints;
  b.json["skins"][0].erase("inverseBindMatrices");
  const auto file = CharacterFile::readGlb(b.glb(), "chain.glb");
  EXPECT_TRUE(file || file.error().code == ErrorCode::TooLarge) << file.error().text();
}

} // namespace
} // namespace skincells::test

// Reading geometry in all data layouts of glTF.
#include <gtest/gtest.h>

#include <meshoptimizer.h>

#include "io/draco_encoder.h"
#include "skincells/io/character_file.h"
#include "support/files.h"
#include "support/gltf_builder.h"

namespace skincells::test {
namespace {

const std::vector<Vec3f> kTriangle{{0, 0, 0}, {2, 0, 0}, {0, 3, 0}};

void expectPositions(const CharacterFile& file, const std::vector<Vec3f>& expected, float tolerance = 0) {
  const auto& actual = file.character().mesh.positions;
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t v = 0; v < expected.size(); ++v)
    EXPECT_LE(length(actual[v] - expected[v]), tolerance)
        << "vertex " << v << " is at " << actual[v].x << " " << actual[v].y << " " << actual[v].z;
}

std::vector<Triangle> trianglesOf(int mode, int vertex_count, const std::vector<std::uint16_t>& indices = {}) {
  GltfBuilder b;
  Json primitive{{"attributes", {{"POSITION", b.positions(zigzag(vertex_count))}}}, {"mode", mode}};
  if (!indices.empty()) primitive["indices"] = b.data(indices, "SCALAR");
  const CharacterFile file = oneJoint(primitive, std::move(b)).read();
  EXPECT_EQ(file.character().mesh.vertexCount(), static_cast<std::uint32_t>(vertex_count));
  return file.character().mesh.triangles;
}

TEST(GltfLayout, ReadsInterleavedAccessors) {
  // position (12 bytes), joints (4 bytes), weights (4 x u16), one after the other in each vertex.
  struct Vertex {
    float position[3];
    std::uint8_t joints[4];
    std::uint16_t weights[4];
  };
  std::vector<Vertex> vertices;
  for (const Vec3f& p : kTriangle) vertices.push_back({{p.x, p.y, p.z}, {0, 0, 0, 0}, {65535, 0, 0, 0}});
  GltfBuilder b;
  const int view = b.view(bytesOf(vertices), sizeof(Vertex));
  const int position = b.accessor(view, 5126, "VEC3", 3), joints = b.accessor(view, 5121, "VEC4", 3, 12);
  const int weights = b.accessor(view, 5123, "VEC4", 3, 16);
  b.at("accessors", weights)["normalized"] = true;
  const CharacterFile file =
      oneJoint({{"attributes", {{"POSITION", position}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}}}, std::move(b))
          .read();
  expectPositions(file, kTriangle);
  EXPECT_EQ(file.character().weights.weightRow(2)[0], 1.0f);
  EXPECT_TRUE(file.skinDefects().empty());
}

TEST(GltfLayout, ReadsSparseAccessorsOverABaseView) {
  GltfBuilder b;
  const int position = b.positions(kTriangle);
  const int indices = b.view(bytesOf(std::vector<std::uint8_t>{1}));
  const int values = b.view(bytesOf(std::vector<float>{7, 8, 9}));
  b.at("accessors", position)["sparse"] = {{"count", 1},
                                           {"indices", {{"bufferView", indices}, {"componentType", 5121}}},
                                           {"values", {{"bufferView", values}}}};
  const auto file = oneJoint({{"attributes", {{"POSITION", position}}}}, std::move(b)).read();
  expectPositions(file, {{0, 0, 0}, {7, 8, 9}, {0, 3, 0}});
}

TEST(GltfLayout, ReadsSparseAccessorsWithoutABaseView) {
  GltfBuilder b;
  const int position = b.accessor(-1, 5126, "VEC3", 3);
  const int indices = b.view(bytesOf(std::vector<std::uint32_t>{0, 2}));
  const int values = b.view(bytesOf(std::vector<float>{99, 99, 99, 1, 2, 3, 4, 5, 6}));
  b.at("accessors", position)["sparse"] = {{"count", 2},
                                           {"indices", {{"bufferView", indices}, {"componentType", 5125}}},
                                           {"values", {{"bufferView", values}, {"byteOffset", 12}}}};
  const auto file = oneJoint({{"attributes", {{"POSITION", position}}}}, std::move(b)).read();
  expectPositions(file, {{1, 2, 3}, {0, 0, 0}, {4, 5, 6}});
}

TEST(GltfLayout, ReadsQuantizedPositions) {
  GltfBuilder a;
  const int bytes = a.view({0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 51, 0}, 4);
  const int u8 = a.accessor(bytes, 5121, "VEC3", 3);
  a.at("accessors", u8)["normalized"] = true;
  a.json["extensionsRequired"] = {"KHR_mesh_quantization"};
  expectPositions(oneJoint({{"attributes", {{"POSITION", u8}}}}, std::move(a)).read(),
                  {{0, 0, 0}, {1, 0, 0}, {0, 1, 0.2f}}, 1e-7f);

  GltfBuilder b;
  const std::vector<std::int16_t> shorts{32767, -32768, 0, 0, 16384, 0, -32767, 0, 0, 0, 0, 0};
  const int i16 = b.accessor(b.view(bytesOf(shorts), 8), 5122, "VEC3", 3);
  b.at("accessors", i16)["normalized"] = true;
  expectPositions(oneJoint({{"attributes", {{"POSITION", i16}}}}, std::move(b)).read(),
                  {{1, -1, 0}, {16384 / 32767.0f, 0, -1}, {0, 0, 0}}, 1e-7f);

  GltfBuilder c; // integers without scaling
  const int plain = c.accessor(c.view(bytesOf(shorts), 8), 5122, "VEC3", 3);
  expectPositions(oneJoint({{"attributes", {{"POSITION", plain}}}}, std::move(c)).read(),
                  {{32767, -32768, 0}, {16384, 0, -32767}, {0, 0, 0}});
}

// Replaces a view by a compressed one, as gltfpack writes it.
void compress(GltfBuilder& b, int view, const std::vector<std::uint8_t>& packed, std::size_t count, std::size_t stride,
              const std::string& mode) {
  const int source = b.view(packed);
  Json extension{{"buffer", 0},
                 {"byteOffset", b.at("bufferViews", source)["byteOffset"]},
                 {"byteLength", packed.size()},
                 {"byteStride", stride},
                 {"count", count},
                 {"mode", mode}};
  Json& v = b.at("bufferViews", view);
  v["buffer"] = 1; // the fallback
  v["byteOffset"] = 0;
  v["extensions"]["EXT_meshopt_compression"] = std::move(extension);
}

TEST(GltfLayout, ReadsMeshoptCompression) {
  GltfBuilder b;
  const std::vector<Vec3f> points = zigzag(6);
  const std::vector<std::uint16_t> indices{0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5};
  const int position = b.positions(points), corners = b.data(indices, "SCALAR");
  std::vector<std::uint8_t> packed(meshopt_encodeVertexBufferBound(points.size(), sizeof(Vec3f)));
  packed.resize(meshopt_encodeVertexBuffer(packed.data(), packed.size(), points.data(), points.size(), sizeof(Vec3f)));
  compress(b, b.at("accessors", position)["bufferView"], packed, points.size(), sizeof(Vec3f), "ATTRIBUTES");
  const std::vector<std::uint32_t> wide(indices.begin(), indices.end());
  packed.resize(meshopt_encodeIndexBufferBound(wide.size(), points.size()));
  packed.resize(meshopt_encodeIndexBuffer(packed.data(), packed.size(), wide.data(), wide.size()));
  compress(b, b.at("accessors", corners)["bufferView"], packed, wide.size(), 2, "TRIANGLES");
  b = oneJoint({{"attributes", {{"POSITION", position}}}, {"indices", corners}}, std::move(b));
  b.json["extensionsRequired"] = {"EXT_meshopt_compression"};
  b.json["buffers"] =
      Json::array({{{"byteLength", b.binary.size()}},
                   {{"byteLength", 100}, {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}}});
  const CharacterFile file = b.read();
  expectPositions(file, points);
  ASSERT_EQ(file.character().mesh.triangles.size(), 4U);
  // The codec may rotate the corners of a triangle, but not flip it.
  const Triangle t = file.character().mesh.triangles[1];
  EXPECT_EQ((std::array<std::uint32_t, 3>{t[0] + t[1] + t[2], t[0] * t[1] * t[2], std::max({t[0], t[1], t[2]})}),
            (std::array<std::uint32_t, 3>{6, 6, 3}));

  b.at("bufferViews", 0)["extensions"]["EXT_meshopt_compression"]["mode"] = "NONSENSE";
  EXPECT_EQ(b.readError().where, "test.glb#/bufferViews/0");
}

TEST(GltfLayout, ReadsDracoCompression) {
  TubeDocument b;
  const Mesh& mesh = b.parts.mesh;
  std::vector<std::array<std::uint8_t, 4>> joints(mesh.positions.size(), {2, 0, 0, 0});
  std::vector<std::array<float, 4>> weights(mesh.positions.size(), {1, 0, 0, 0});
  const DracoData packed = encodeDraco(mesh, joints, weights);
  for (int a : {b.parts.position, b.parts.indices, b.parts.joints, b.parts.weights})
    b.at("accessors", a).erase("bufferView");
  b.at("accessors", b.parts.position)["count"] = packed.vertex_count;
  b.primitive()["extensions"]["KHR_draco_mesh_compression"] = {
      {"bufferView", b.view(packed.bytes)}, {"attributes", {{"POSITION", 0}, {"JOINTS_0", 1}, {"WEIGHTS_0", 2}}}};
  b.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  const CharacterFile file = b.read();
  const Mesh& read = file.character().mesh;
  EXPECT_EQ(read.triangles.size(), mesh.triangles.size());
  EXPECT_EQ(read.positions.size(), packed.vertex_count);
  EXPECT_NEAR(read.bounds().diagonal(), mesh.bounds().diagonal(), 1e-2);
  ASSERT_FALSE(file.character().weights.empty());
  for (std::size_t v = 0; v < read.positions.size(); ++v) EXPECT_EQ(file.character().weights.jointRow(v)[0], 2);

  b.at("accessors", b.parts.position)["count"] = 7;
  EXPECT_NE(b.readError().message.find("vertices"), std::string::npos);
  const std::size_t view = b.primitive()["extensions"]["KHR_draco_mesh_compression"]["bufferView"];
  b.binary[b.json["bufferViews"][view]["byteOffset"].get<std::size_t>() + 1] ^= 0xFF;
  EXPECT_EQ(b.readError().where, "test.glb#/meshes/0/primitives/0");
}

TEST(GltfLayout, RefusesDracoHeadersThatAskForMore) {
  TubeDocument b;
  const Mesh& mesh = b.parts.mesh;
  const DracoData packed = encodeDraco(mesh, std::vector<std::array<std::uint8_t, 4>>(mesh.positions.size()),
                                       std::vector<std::array<float, 4>>(mesh.positions.size(), {1, 0, 0, 0}));
  for (int a : {b.parts.position, b.parts.indices, b.parts.joints, b.parts.weights})
    b.at("accessors", a).erase("bufferView");
  b.at("accessors", b.parts.position)["count"] = packed.vertex_count;
  const auto readWith = [&](std::vector<std::uint8_t> bytes) {
    TubeDocument damaged = b;
    damaged.primitive()["extensions"]["KHR_draco_mesh_compression"] = {
        {"bufferView", damaged.view(bytes)}, {"attributes", {{"POSITION", 0}, {"JOINTS_0", 1}, {"WEIGHTS_0", 2}}}};
    damaged.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
    return damaged.readError();
  };
  // The counts follow 11 bytes of header and, for this encoding, one byte more. Four billion of each:
  std::vector<std::uint8_t> bomb(packed.bytes.begin(), packed.bytes.begin() + 12);
  for (int count = 0; count < 2; ++count) bomb.insert(bomb.end(), {0xFF, 0xFF, 0xFF, 0xFF, 0x0F});
  bomb.resize(200);
  EXPECT_EQ(readWith(bomb).code, ErrorCode::TooLarge);
  bomb.resize(14); // ends within a count
  EXPECT_EQ(readWith(bomb).code, ErrorCode::InvalidFile);
  EXPECT_EQ(readWith({'D'}).code, ErrorCode::InvalidFile);
  std::vector<std::uint8_t> old = packed.bytes;
  old[6] = 1;
  EXPECT_EQ(readWith(old).code, ErrorCode::UnsupportedFeature);
  old = packed.bytes;
  old[10] |= 0x80; // says that metadata follows
  EXPECT_EQ(readWith(old).where, "test.glb#/meshes/0/primitives/0");
}

TEST(GltfLayout, ReadsNonIndexedTriangles) {
  EXPECT_EQ(trianglesOf(4, 6), (std::vector<Triangle>{{0, 1, 2}, {3, 4, 5}}));
  EXPECT_EQ(trianglesOf(4, 5), (std::vector<Triangle>{{0, 1, 2}})); // two remaining corners make no triangle
}

TEST(GltfLayout, ReadsStripsWithTheirWinding) {
  EXPECT_EQ(trianglesOf(5, 5), (std::vector<Triangle>{{0, 1, 2}, {2, 1, 3}, {2, 3, 4}}));
  EXPECT_EQ(trianglesOf(5, 4, {3, 2, 1, 0}), (std::vector<Triangle>{{3, 2, 1}, {1, 2, 0}}));
}

TEST(GltfLayout, ReadsFans) {
  EXPECT_EQ(trianglesOf(6, 4), (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(trianglesOf(6, 4, {2, 3, 0, 1}), (std::vector<Triangle>{{2, 3, 0}, {2, 0, 1}}));
}

TEST(GltfLayout, KeepsVerticesOfPointsAndLines) {
  EXPECT_TRUE(trianglesOf(0, 3).empty());
  EXPECT_TRUE(trianglesOf(1, 4).empty());
}

TEST(GltfLayout, CountsSharedPositionsOnce) {
  GltfBuilder b;
  const int position = b.positions(zigzag(4));
  const int first = b.data(std::vector<std::uint8_t>{0, 1, 2}, "SCALAR");
  const int second = b.data(std::vector<std::uint8_t>{2, 1, 3}, "SCALAR");
  b = oneJoint({{"attributes", {{"POSITION", position}}}, {"indices", first}}, std::move(b));
  b.json["meshes"][0]["primitives"].push_back({{"attributes", {{"POSITION", position}}}, {"indices", second}});
  const Mesh mesh = b.read().character().mesh;
  EXPECT_EQ(mesh.vertexCount(), 4U);
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {2, 1, 3}}));
  ASSERT_EQ(mesh.sections.size(), 1U);
  EXPECT_EQ(mesh.sections[0].triangle_count, 2U);
}

TEST(GltfLayout, SectionsCoverAllPrimitivesInOrder) {
  GltfBuilder b;
  const int a = b.positions(zigzag(3)), c = b.positions(zigzag(4));
  const int late = b.data(std::vector<std::uint8_t>{0, 2, 1}, "SCALAR");
  b = oneJoint({{"attributes", {{"POSITION", a}}}}, std::move(b));
  Json& primitives = b.json["meshes"][0]["primitives"];
  primitives.push_back({{"attributes", {{"POSITION", c}}}, {"mode", 5}});
  primitives.push_back({{"attributes", {{"POSITION", a}}}, {"indices", late}}); // shares the first one's vertices
  const Mesh mesh = b.read().character().mesh;
  ASSERT_EQ(mesh.sections.size(), 2U);
  EXPECT_EQ(mesh.sections[0].triangle_count, 2U);
  EXPECT_EQ(mesh.sections[1].first_triangle, 2U);
  EXPECT_EQ(mesh.sections[1].triangle_count, 2U);
  for (const MeshSection& s : mesh.sections)
    for (std::uint32_t t = s.first_triangle; t < s.first_triangle + s.triangle_count; ++t)
      for (std::uint32_t v : mesh.triangles[t])
        EXPECT_TRUE(v >= s.first_vertex && v < s.first_vertex + s.vertex_count) << t;
}

TEST(GltfLayout, CountsMorphTargets) {
  TubeDocument b;
  b.primitive()["targets"] = Json::array({{{"POSITION", b.parts.position}}, {{"POSITION", b.parts.position}}});
  const CharacterFile file = b.read();
  EXPECT_EQ(file.info().morph_target_count, 2);
  expectPositions(file, b.parts.mesh.positions); // unmorphed
}

TEST(GltfLayout, ReadsDataUris) {
  const TubeDocument b;
  const TemporaryFolder folder;
  writeText(folder.path("inline.gltf"), "\xEF\xBB\xBF" + b.gltfInline()); // with a byte order mark
  const auto file = CharacterFile::read(folder.path("inline.gltf").string());
  ASSERT_TRUE(file) << file.error().text();
  expectPositions(*file, b.parts.mesh.positions);
  EXPECT_EQ(file->info().format, "glTF");
}

TEST(GltfLayout, ReadsExternalBuffersWithEncodedNames) {
  const TubeDocument b;
  const TemporaryFolder folder;
  b.save(folder.path("a.gltf"), "my%20d%C3%A4ta.bin");
  ASSERT_TRUE(std::filesystem::exists(folder.path("my d\xC3\xA4ta.bin")));
  const auto file = CharacterFile::read(folder.path("a.gltf").string());
  ASSERT_TRUE(file) << file.error().text();
  expectPositions(*file, b.parts.mesh.positions);

  b.save(folder.path("plain.gltf"), "with space.bin"); // many exporters forget to encode
  EXPECT_TRUE(CharacterFile::read(folder.path("plain.gltf").string()));
}

TEST(GltfLayout, DistinguishesGlbAndTextByContent) {
  const TubeDocument b;
  const TemporaryFolder folder;
  writeBytes(folder.path("misnamed.gltf"), b.glb());
  EXPECT_TRUE(CharacterFile::read(folder.path("misnamed.gltf").string()));
  writeText(folder.path("misnamed.glb"), b.gltfInline());
  EXPECT_TRUE(CharacterFile::read(folder.path("misnamed.glb").string()));
}

} // namespace
} // namespace skincells::test

// Vertex data of files with fewer triangles and of posed static files.
#include <algorithm>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "io/glb_inspector.h"
#include "support/files.h"
#include "support/gltf_builder.h"

namespace skincells::test {
namespace {

// The tube with normals, tangents of both signs, colors and a morph target, different at every vertex.
struct DressedTube : TubeDocument {
  DressedTube() : TubeDocument(3) {
    std::vector<float> normals, tangents, moves;
    std::vector<std::uint8_t> colors;
    for (const Vec3f& p : parts.mesh.positions) {
      const Vec3f n = normalized(Vec3f{p.x, 0, p.z});
      const auto v = static_cast<float>(moves.size());
      normals.insert(normals.end(), {n.x, 0, n.z});
      tangents.insert(tangents.end(), {-n.z, 0, n.x, moves.size() % 2 == 0 ? 1.0F : -1.0F});
      moves.insert(moves.end(), {v, v + 0.25F, -v});
      const auto c = static_cast<std::uint8_t>(colors.size() % 251);
      colors.insert(colors.end(), {c, 7, 8, 9});
    }
    attributes()["NORMAL"] = data(normals, "VEC3");
    attributes()["TANGENT"] = data(tangents, "VEC4");
    attributes()["COLOR_0"] = data(colors, "VEC4", true);
    primitive()["targets"] = Json::array({{{"POSITION", data(moves, "VEC3")}}});
  }
};

std::vector<double> rows(const std::vector<double>& numbers, std::size_t columns,
                         const std::vector<std::uint32_t>& which) {
  std::vector<double> out;
  for (const std::uint32_t v : which)
    for (std::size_t k = 0; k < columns; ++k) out.push_back(numbers[v * columns + k]);
  return out;
}

TEST(ReducedFile, VerticesKeepAllTheirData) {
  const DressedTube tube;
  const CharacterFile file = tube.read();
  const Mesh& mesh = file.character().mesh;
  const std::size_t first = mesh.triangles.size() / 2;
  const auto kept = std::span(mesh.triangles).subspan(first);
  std::vector<std::uint32_t> source(kept.size());
  std::iota(source.begin(), source.end(), static_cast<std::uint32_t>(first));
  const auto reduced = file.reduced(kept, source);
  ASSERT_TRUE(reduced) << reduced.error().text();

  std::set<std::uint32_t> used;
  for (const Triangle& t : kept) used.insert(t.begin(), t.end());
  const std::vector<std::uint32_t> vertices(used.begin(), used.end());
  ASSERT_LT(vertices.size(), mesh.positions.size());
  const Character& c = reduced->character();
  ASSERT_EQ(c.mesh.positions.size(), vertices.size());
  ASSERT_EQ(c.mesh.triangles.size(), kept.size());
  for (std::size_t t = 0; t < kept.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(vertices[c.mesh.triangles[t][i]], kept[t][i]);
  for (std::size_t v = 0; v < vertices.size(); ++v)
    EXPECT_EQ(c.weights.jointRow(v)[0], file.character().weights.jointRow(vertices[v])[0]);

  const auto bytes = reduced->encodeGlb();
  ASSERT_TRUE(bytes);
  const GlbInspector before(tube.glb()), after(*bytes);
  const auto& old = before.json["meshes"][0]["primitives"][0];
  const auto& fresh = after.json["meshes"][0]["primitives"][0];
  for (const auto& [name, columns] : {std::pair("POSITION", 3U), {"NORMAL", 3U}, {"TANGENT", 4U}, {"COLOR_0", 4U}})
    EXPECT_EQ(after.numbers(fresh["attributes"][name]),
              rows(before.numbers(old["attributes"][name]), columns, vertices))
        << name;
  EXPECT_EQ(after.numbers(fresh["targets"][0]["POSITION"]),
            rows(before.numbers(old["targets"][0]["POSITION"]), 3, vertices));
}

TEST(StaticFile, VerticesGoWhereTheMapSaysAndSurfacesTurnWithThem) {
  const DressedTube tube;
  const CharacterFile file = tube.read();
  const TemporaryFolder folder;
  const Affine wider{{{2, 0, 0, 1}, {0, 1, 0, 2}, {0, 0, 1, 3}}};
  ASSERT_TRUE(file.writeStatic(
      folder.path("static.glb").string(), [&](std::size_t) { return wider; }, 0.5));
  const GlbInspector before(tube.glb()), after(readBytes(folder.path("static.glb")));
  ASSERT_TRUE(after.valid());
  const auto& old = before.json["meshes"][0]["primitives"][0]["attributes"];
  const auto& fresh = after.json["meshes"][0]["primitives"][0];
  EXPECT_FALSE(after.json.contains("skins"));
  for (const char* gone : {"JOINTS_0", "WEIGHTS_0"}) EXPECT_FALSE(fresh["attributes"].contains(gone)) << gone;
  EXPECT_FALSE(fresh.contains("targets"));
  EXPECT_EQ(after.numbers(fresh["attributes"]["COLOR_0"]), before.numbers(old["COLOR_0"]));

  const auto positions = before.vectors(old["POSITION"]), normals = before.vectors(old["NORMAL"]);
  const auto posed = after.worldPositions(), turned = after.vectors(fresh["attributes"]["NORMAL"]);
  const auto tangents = before.numbers(old["TANGENT"]), along = after.numbers(fresh["attributes"]["TANGENT"]);
  ASSERT_EQ(posed.size(), positions.size());
  for (std::size_t v = 0; v < posed.size(); ++v) {
    EXPECT_LT(length(posed[v] - wider.apply(positions[v]) * 0.5), 1e-6) << v;
    EXPECT_LT(length(turned[v] - normalized(Vec3d{normals[v].x / 2, normals[v].y, normals[v].z})), 1e-6) << v;
    const Vec3d tangent{along[4 * v], along[4 * v + 1], along[4 * v + 2]};
    EXPECT_LT(length(tangent - normalized(Vec3d{2 * tangents[4 * v], tangents[4 * v + 1], tangents[4 * v + 2]})), 1e-6);
    EXPECT_EQ(along[4 * v + 3], tangents[4 * v + 3]) << v;
  }
}

TEST(StaticFile, IsShownWhateverTheScenesOfTheInput) {
  const TemporaryFolder folder;
  for (const Json& scene : {Json(0), Json(-1), Json("first"), Json(7), Json()}) {
    TubeDocument tube(3);
    tube.json["scene"] = scene;
    if (scene.is_null()) tube.json.erase("scene"), tube.json.erase("scenes");
    const std::string path = folder.path("static.glb").string();
    ASSERT_TRUE(tube.read().writeStatic(path, [](std::size_t) { return Affine{}; }, 1, {.force = true})) << scene;
    const GlbInspector after(readBytes(path));
    std::set<std::size_t> shown;
    for (const auto& node : after.json["scenes"][0]["nodes"]) shown.insert(node.get<std::size_t>());
    EXPECT_TRUE(shown.contains(after.json["nodes"].size() - 1)) << scene;
  }
}

TEST(StaticFile, NormalsOfAnotherWidthAreRefused) {
  TubeDocument tube(3);
  tube.attributes()["NORMAL"] = tube.data(std::vector<float>(2 * tube.parts.mesh.positions.size()), "VEC2");
  const TemporaryFolder folder;
  const auto written = tube.read().writeStatic(
      folder.path("static.glb").string(), [](std::size_t) { return Affine{}; }, 1);
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("'NORMAL' must hold 3"), std::string::npos) << written.error().text();
  EXPECT_FALSE(std::filesystem::exists(folder.path("static.glb")));
}

} // namespace
} // namespace skincells::test

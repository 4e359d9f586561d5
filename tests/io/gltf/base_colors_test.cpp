// Colors and textures of materials.
#include <gtest/gtest.h>

#include "support/files.h"
#include "support/gltf_builder.h"

namespace skincells {
namespace {

using test::Json;
using test::TubeDocument;

const std::vector<std::uint8_t> kImage{0x89, 'P', 'N', 'G', 1, 2, 3};

// The tube with a textured material; every vertex at (v, 0.25).
struct Textured : TubeDocument {
  int vertex_count = 0;

  explicit Textured(Json material = {{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}})
      : TubeDocument(4) {
    vertex_count = static_cast<int>(parts.mesh.positions.size());
    std::vector<float> uv;
    for (int v = 0; v < vertex_count; ++v) uv.insert(uv.end(), {static_cast<float>(v), 0.25F});
    const int places = data(uv, "VEC2"), index = add("materials", std::move(material));
    attributes()["TEXCOORD_0"] = places;
    primitive()["material"] = index;
    add("samplers", {{"wrapS", 33071}, {"wrapT", 33648}});
    const int image = view(kImage);
    add("images", {{"bufferView", image}, {"mimeType", "image/png"}});
    add("textures", {{"source", 0}, {"sampler", 0}});
  }
};

TEST(BaseColors, TexturesWithTheirPlacesOnTheMesh) {
  const Textured builder;
  const CharacterFile file = builder.read();
  const BaseColors colors = file.baseColors();
  const Mesh& mesh = file.character().mesh;
  ASSERT_EQ(colors.textures.size(), 1U);
  EXPECT_EQ(colors.textures[0].bytes, kImage);
  EXPECT_EQ(colors.textures[0].wrap_u, TextureWrap::Clamp);
  EXPECT_EQ(colors.textures[0].wrap_v, TextureWrap::Mirror);
  ASSERT_EQ(colors.runs.size(), 1U);
  EXPECT_EQ(colors.runs[0].triangle_count, mesh.triangles.size());
  EXPECT_EQ(colors.runs[0].color, (std::array<float, 3>{1, 1, 1}));
  EXPECT_EQ(colors.runs[0].alpha_cutoff, 0);
  ASSERT_EQ(colors.texture_places.size(), 3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_EQ(colors.texture_places[3 * t + i],
                (std::array<float, 2>{static_cast<float>(mesh.triangles[t][i]), 0.25F}));
  EXPECT_TRUE(colors.warnings.empty());
}

TEST(BaseColors, TransformsCutoffAndGlossyMaterials) {
  const Json use{{"index", 0}, {"extensions", {{"KHR_texture_transform", {{"offset", {0.5, 0}}, {"scale", {2, 4}}}}}}};
  const Textured builder(
      {{"alphaMode", "MASK"},
       {"alphaCutoff", 0.25},
       {"extensions",
        {{"KHR_materials_pbrSpecularGlossiness", {{"diffuseFactor", {0.5, 0.25, 0, 1}}, {"diffuseTexture", use}}}}}});
  const CharacterFile file = builder.read();
  const BaseColors colors = file.baseColors();
  EXPECT_EQ(colors.runs[0].color, (std::array<float, 3>{0.5F, 0.25F, 0}));
  EXPECT_EQ(colors.runs[0].alpha_cutoff, 0.25F);
  const auto first = static_cast<float>(file.character().mesh.triangles[0][0]);
  EXPECT_EQ(colors.texture_places[0], (std::array<float, 2>{2 * first + 0.5F, 1}));
}

TEST(BaseColors, WithoutTextures) {
  const CharacterFile file = TubeDocument(4).read();
  const BaseColors colors = file.baseColors();
  EXPECT_TRUE(colors.textures.empty() && colors.texture_places.empty() && colors.warnings.empty());
  ASSERT_EQ(colors.runs.size(), 1U);
  EXPECT_EQ(colors.runs[0].texture, -1);
  EXPECT_EQ(colors.runs[0].color, file.character().mesh.sections[0].color);
}

TEST(BaseColors, WhatCannotBeReadIsAWarning) {
  Textured no_image;
  no_image.at("images", 0) = {{"uri", "../outside.png"}};
  const BaseColors unread = no_image.read().baseColors();
  ASSERT_EQ(unread.warnings.size(), 1U);
  EXPECT_EQ(unread.warnings[0].code, "texture.unreadable");
  EXPECT_EQ(unread.runs[0].texture, -1);
  Textured no_places;
  no_places.at("meshes", 0)["primitives"][0]["attributes"].erase("TEXCOORD_0");
  const BaseColors unplaced = no_places.read().baseColors();
  ASSERT_EQ(unplaced.warnings.size(), 1U);
  EXPECT_EQ(unplaced.warnings[0].code, "texture.no_coordinates");
  EXPECT_EQ(unplaced.runs[0].texture, -1);
}

TEST(BaseColors, ImagesBesideTheFile) {
  const test::TemporaryFolder folder;
  Textured builder;
  builder.at("images", 0) = {{"uri", "skin%20one.png"}};
  builder.save(folder.path("c.gltf"));
  test::writeBytes(folder.path("skin one.png"), kImage);
  const auto file = CharacterFile::read(folder.path("c.gltf").string());
  ASSERT_TRUE(file);
  ASSERT_EQ(file->baseColors().textures.size(), 1U);
  EXPECT_EQ(file->baseColors().textures[0].bytes, kImage);
}

} // namespace
} // namespace skincells

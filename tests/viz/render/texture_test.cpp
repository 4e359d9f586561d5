// Textures: reading images, sampling, and a textured mesh in a picture.
#include <gtest/gtest.h>

#include <cstdio>

#include <jpeglib.h>

#include "scenes.h"
#include "skincells/viz/texture.h"

namespace skincells {
namespace {

// Left half red, right half green; the lower half transparent if `holes`.
Image flag(int width, int height, bool holes = false) {
  Image image(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      std::uint8_t* p = image.pixel(x, y);
      p[x < width / 2 ? 0 : 1] = 255;
      p[3] = holes && y >= height / 2 ? 0 : 255;
    }
  return image;
}

std::vector<std::uint8_t> jpegOf(const Image& image) {
  jpeg_compress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&jpeg, &bytes, &size);
  jpeg.image_width = static_cast<JDIMENSION>(image.width), jpeg.image_height = static_cast<JDIMENSION>(image.height);
  jpeg.input_components = 4, jpeg.in_color_space = JCS_EXT_RGBX;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, 95, TRUE);
  jpeg_start_compress(&jpeg, TRUE);
  for (int y = 0; y < image.height; ++y) {
    auto* row = const_cast<std::uint8_t*>(image.pixel(0, y));
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_compress(&jpeg);
  std::vector<std::uint8_t> out(bytes, bytes + size);
  jpeg_destroy_compress(&jpeg);
  std::free(bytes);
  return out;
}

TEST(DecodeImage, PngAndJpeg) {
  const Image image = flag(8, 4);
  const auto png = decodeImage(encodePng(image), "a.png");
  ASSERT_TRUE(png);
  EXPECT_EQ(png->rgba, image.rgba);
  const Image large = flag(32, 32);
  const auto jpeg = decodeImage(jpegOf(large), "a.jpg");
  ASSERT_TRUE(jpeg) << jpeg.error().text();
  ASSERT_EQ(jpeg->width, 32);
  for (int x : {4, 28})
    for (int c = 0; c < 4; ++c) EXPECT_NEAR(jpeg->pixel(x, 16)[c], large.pixel(x, 16)[c], 12);
}

TEST(DecodeImage, RefusesWhatItCannotShow) {
  const auto code = [](std::vector<std::uint8_t> bytes) {
    const auto image = decodeImage(bytes, "here");
    EXPECT_FALSE(image);
    return image ? ErrorCode::Mismatch : image.error().code;
  };
  std::vector<std::uint8_t> png = encodePng(flag(8, 8)), jpeg = jpegOf(flag(32, 32));
  png.resize(png.size() / 2);
  EXPECT_EQ(code(png), ErrorCode::InvalidFile);
  jpeg.resize(20);
  EXPECT_EQ(code(jpeg), ErrorCode::InvalidFile);
  EXPECT_EQ(code({}), ErrorCode::UnsupportedFeature);
  const std::string ktx = "\xABKTX 20\xBB\r\n\x1A\n";
  const auto refused = decodeImage({reinterpret_cast<const std::uint8_t*>(ktx.data()), ktx.size()}, "texture 3");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("KTX2"), std::string::npos);
  EXPECT_EQ(refused.error().where, "texture 3");
}

TEST(Texture, WrapsAndBlursWithDistance) {
  const Texture repeat(flag(64, 64)), mirror(flag(64, 64), TextureWrap::Mirror),
      clamp(flag(64, 64), TextureWrap::Clamp);
  EXPECT_GT(repeat.at(0.25F, 0.5F).color.r, 0.99F);
  EXPECT_GT(repeat.at(0.75F, 0.5F).color.g, 0.99F);
  EXPECT_GT(repeat.at(1.25F, -3.5F).color.r, 0.99F);
  EXPECT_GT(mirror.at(1.25F, 0.5F).color.g, 0.99F);
  EXPECT_GT(clamp.at(7.25F, 0.5F).color.g, 0.99F);
  const Texture::Sample far = repeat.at(0.25F, 0.5F, 1000);
  EXPECT_NEAR(far.color.r, 0.5F, 0.02F);
  EXPECT_NEAR(far.color.g, 0.5F, 0.02F);
  EXPECT_EQ(Texture(flag(5000, 3)).width(), 1250); // reduced by halves
}

// A square from -1 to 1 that shows the whole image.
struct Square {
  Mesh mesh;
  BaseColors colors;

  explicit Square(Image image, float cutoff = 0) {
    mesh.positions = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    colors.textures.push_back({encodePng(image), "image", TextureWrap::Clamp, TextureWrap::Clamp});
    colors.runs = {{0, 2, {1, 1, 1}, 0, cutoff}};
    colors.texture_places = {{0, 1}, {1, 1}, {1, 0}, {0, 1}, {1, 0}, {0, 0}};
  }
  Image drawn() const {
    const Appearance a = appearanceOf(mesh, colors);
    EXPECT_TRUE(a.warnings.empty());
    return renderMesh(mesh, mesh.positions, {.triangles = a.triangle_colors, .vertices = {}, .textures = &a.textures},
                      test::unitCamera(), test::bareOptions(16, 16));
  }
};

TEST(TexturedMesh, ShowsTheImageTheRightWayUp) {
  const Image drawn = Square(flag(32, 32)).drawn();
  EXPECT_GT(drawn.pixel(6, 8)[0], 4 * drawn.pixel(6, 8)[1]);
  EXPECT_GT(drawn.pixel(9, 8)[1], 4 * drawn.pixel(9, 8)[0]);
}

TEST(TexturedMesh, TransparentPartsAreHoles) {
  EXPECT_EQ(test::drawnPixels(Square(flag(32, 32, true)).drawn()), 64); // alpha counts only if the material says so
  const Image drawn = Square(flag(32, 32, true), 0.5F).drawn();
  EXPECT_EQ(test::drawnPixels(drawn), 32);
  EXPECT_EQ(drawn.pixel(6, 5)[3], 255); // above
  EXPECT_EQ(drawn.pixel(6, 10)[3], 0);  // below
}

TEST(TexturedMesh, AnImageThatCannotBeReadLeavesTheColorAndAWarning) {
  Square square(flag(8, 8));
  square.colors.textures[0].bytes = {1, 2, 3};
  square.colors.runs[0].color = {0, 0, 1};
  const Appearance a = appearanceOf(square.mesh, square.colors);
  ASSERT_EQ(a.warnings.size(), 1U);
  EXPECT_EQ(a.warnings[0].code, "texture.unsupported");
  EXPECT_TRUE(a.textures.empty());
  EXPECT_GT(a.triangle_colors[0].b, 0.9F);
}

} // namespace
} // namespace skincells

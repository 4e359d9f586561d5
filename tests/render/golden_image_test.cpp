// Pictures against stored ones, with a tolerance for other compilers' arithmetic. With SKINCELLS_UPDATE_GOLDEN=1 in the
// environment the stored ones are written anew: look at them before committing.
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>
#include <png.h>

#include "render/scenes.h"
#include "support/files.h"

namespace skincells {
namespace {

constexpr double kMeanTolerance = 1.0; // of 255
constexpr int kPixelTolerance = 24;    // of 255, in any channel ...
constexpr double kPixelShare = 0.01;   // ... at no more than this part of the pixels

std::filesystem::path goldenPath(const std::string& name) {
  return std::filesystem::path(SKINCELLS_SOURCE_DIR) / "tests" / "render" / "golden" / (name + ".png");
}

Image readPng(const std::filesystem::path& path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&png, path.c_str()) == 0) return {};
  png.format = PNG_FORMAT_RGBA;
  Image image(static_cast<int>(png.width), static_cast<int>(png.height));
  if (png_image_finish_read(&png, nullptr, image.rgba.data(), 0, nullptr) == 0) return {};
  return image;
}

void expectGolden(const Image& image, const std::string& name) {
  if (const char* update = std::getenv("SKINCELLS_UPDATE_GOLDEN"); update != nullptr && *update != '\0') {
    test::writeBytes(goldenPath(name), encodePng(image));
    return;
  }
  const Image golden = readPng(goldenPath(name));
  ASSERT_FALSE(golden.empty()) << goldenPath(name) << " cannot be read";
  ASSERT_EQ(image.width, golden.width);
  ASSERT_EQ(image.height, golden.height);
  double sum = 0;
  std::size_t off = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    int worst = 0;
    for (std::size_t c = 0; c < 4; ++c) {
      const int difference = std::abs(int{image.rgba[i + c]} - int{golden.rgba[i + c]});
      worst = std::max(worst, difference);
      sum += difference;
    }
    off += worst > kPixelTolerance ? 1 : 0;
  }
  EXPECT_LT(sum / static_cast<double>(image.rgba.size()), kMeanTolerance);
  EXPECT_LT(static_cast<double>(off), kPixelShare * static_cast<double>(image.rgba.size()) / 4);
}

// The tube, its weights blended along it, bent at the middle.
struct Bent {
  Character character = test::tubeCharacter(4);
  std::vector<LabelledPose> poses;

  Bent() {
    Character& c = character;
    c.weights = SparseWeights(c.mesh.positions.size(), 2);
    for (std::size_t v = 0; v < c.mesh.positions.size(); ++v) {
      const float at = std::clamp(c.mesh.positions[v].y - 0.5F, 0.0F, 2.999F);
      const float below = std::floor(at);
      c.weights.jointRow(v)[0] = static_cast<std::uint16_t>(below);
      c.weights.jointRow(v)[1] = static_cast<std::uint16_t>(below + 1);
      c.weights.weightRow(v)[0] = 1 - (at - below);
      c.weights.weightRow(v)[1] = at - below;
    }
    std::vector<Affine> turns(c.skeleton.joints.size());
    turns[2] = Affine::rotation({0, 0, 1}, 1.2);
    poses = {{"bind", bindPose(c.skeleton)}, {"bent", poseFromTurns(c.skeleton, turns)}};
  }
  Image sheet(ColorMode mode) const {
    CharacterSheetOptions options;
    options.render.width = options.render.height = 96;
    options.views = {View::Front, View::ThreeQuarter};
    options.mode = mode;
    options.joint = 2;
    const LabelledSkin skin{"", &character.weights};
    return characterSheet(character, {&skin, 1}, poses, {}, options);
  }
};

TEST(GoldenImage, Plain) {
  expectGolden(Bent().sheet(ColorMode::Plain), "plain");
}
TEST(GoldenImage, Weights) {
  expectGolden(Bent().sheet(ColorMode::Weights), "weights");
}
TEST(GoldenImage, Stretch) {
  expectGolden(Bent().sheet(ColorMode::Stretch), "stretch");
}
TEST(GoldenImage, Dominant) {
  expectGolden(Bent().sheet(ColorMode::Dominant), "dominant");
}

} // namespace
} // namespace skincells

#include "support/golden_image.h"

#include <cstdlib>

#include <gtest/gtest.h>
#include <png.h>

#include "support/files.h"

namespace skincells::test {
namespace {

constexpr double kMeanTolerance = 0.5; // of 255, over all pixels and channels
constexpr int kPixelTolerance = 24;    // of 255, in any channel ...
constexpr double kPixelShare = 0.005;  // ... at no more than this part of the pixels

Image readPng(const std::filesystem::path& path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&png, path.c_str()) == 0) return {};
  png.format = PNG_FORMAT_RGBA;
  Image image(static_cast<int>(png.width), static_cast<int>(png.height));
  if (png_image_finish_read(&png, nullptr, image.rgba.data(), 0, nullptr) == 0) return {};
  return image;
}

struct Difference {
  Image image; // black where both are the same
  double mean = 0;
  double share = 0; // of the pixels beyond the tolerance
};

Difference differenceOf(const Image& a, const Image& b) {
  Difference out;
  out.image = Image(a.width, a.height);
  double sum = 0, off = 0;
  for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
    int worst = 0;
    for (std::size_t c = 0; c < 4; ++c) {
      const int difference = std::abs(int{a.rgba[i + c]} - int{b.rgba[i + c]});
      worst = std::max(worst, difference);
      sum += difference;
      out.image.rgba[i + c] = c == 3 ? std::uint8_t{255} : static_cast<std::uint8_t>(difference);
    }
    off += worst > kPixelTolerance ? 1 : 0;
  }
  out.mean = sum / static_cast<double>(a.rgba.size());
  out.share = off / (static_cast<double>(a.rgba.size()) / 4);
  return out;
}

} // namespace

void expectGoldenImage(const Image& image, const std::string& name, const GoldenFolders& folders) {
  const std::filesystem::path stored = folders.golden / (name + ".png");
  const std::vector<std::uint8_t> drawn = encodePng(image);
  if (const char* update = std::getenv("SKINCELLS_UPDATE_GOLDEN"); update != nullptr && *update != '\0')
    writeBytes(stored, drawn);
  std::filesystem::create_directories(folders.artifacts);
  writeBytes(folders.artifacts / (name + ".png"), drawn);
  const Image golden = readPng(stored);
  ASSERT_FALSE(golden.empty()) << stored << " cannot be read";
  ASSERT_EQ(image.width, golden.width);
  ASSERT_EQ(image.height, golden.height);
  const Difference difference = differenceOf(image, golden);
  const std::filesystem::path kept = folders.artifacts / (name + "_difference.png");
  if (difference.mean > 0)
    writeBytes(kept, encodePng(difference.image));
  else
    std::filesystem::remove(kept);
  EXPECT_LT(difference.mean, kMeanTolerance) << "see " << kept;
  EXPECT_LT(difference.share, kPixelShare) << "see " << kept;
}

} // namespace skincells::test

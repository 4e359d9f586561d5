#include "skincells/viz/image.h"

#include <algorithm>

#include <png.h>

#include "base/assert.h"

namespace skincells {
namespace {

bool isOpaque(const Image& image) {
  for (std::size_t i = 3; i < image.rgba.size(); i += 4)
    if (image.rgba[i] != 255) return false;
  return true;
}

std::vector<std::uint8_t> withoutAlpha(const Image& image) {
  std::vector<std::uint8_t> rgb(image.rgba.size() / 4 * 3);
  for (std::size_t p = 0; p < rgb.size() / 3; ++p) std::copy_n(&image.rgba[p * 4], 3, &rgb[p * 3]);
  return rgb;
}

} // namespace

std::vector<std::uint8_t> encodePng(const Image& image) {
  if (image.empty()) return {};
  const bool opaque = isOpaque(image);
  const std::vector<std::uint8_t> rgb = opaque ? withoutAlpha(image) : std::vector<std::uint8_t>{};
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = opaque ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::vector<std::uint8_t> bytes(size);
  const int written =
      png_image_write_to_memory(&png, bytes.data(), &size, 0, opaque ? rgb.data() : image.rgba.data(), 0, nullptr);
  SKINCELLS_ASSERT(written != 0);
  bytes.resize(written != 0 ? size : 0);
  return bytes;
}

} // namespace skincells

// Images and PNG files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "skincells/result.h"

namespace skincells {

// Rows from top to bottom, four bytes per pixel: sRGB-encoded red, green, blue, and alpha (not premultiplied).
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;

  Image() = default;
  Image(int w, int h) : width(w), height(h), rgba(static_cast<std::size_t>(w) * static_cast<std::size_t>(h) * 4) {}
  bool empty() const { return rgba.empty(); }
  std::uint8_t* pixel(int x, int y) { return rgba.data() + offset(x, y); }
  const std::uint8_t* pixel(int x, int y) const { return rgba.data() + offset(x, y); }

private:
  std::size_t offset(int x, int y) const {
    return (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 4;
  }
};

// The image as a PNG file; without an alpha channel if every pixel is opaque. No bytes for an empty image.
std::vector<std::uint8_t> encodePng(const Image& image);

// The image in a PNG or JPEG file, of 8192 x 8192 pixels at most. `where` names it in errors.
Result<Image> decodeImage(std::span<const std::uint8_t> bytes, const std::string& where);

} // namespace skincells

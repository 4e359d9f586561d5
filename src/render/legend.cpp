#include "render/legend.h"

#include <algorithm>
#include <cmath>

#include "render/color.h"

namespace skincells::render {
namespace {

struct Scale {
  std::string low, high;
  Rgb (*color)(double t); // t from 0 to 1
};

bool scaleOf(ColorMode mode, Scale& scale) {
  switch (mode) {
  case ColorMode::Weights:
    scale = {"weight 0", "1", [](double t) { return sequentialColor(t); }};
    return true;
  case ColorMode::Stretch:
    scale = {"edges at half length", "double", [](double t) { return divergingColor(2 * t - 1); }};
    return true;
  case ColorMode::InfluenceCount:
    scale = {"joints per vertex 1", "8",
             [](double t) { return sequentialColor(std::min(7.0, std::floor(8 * t)) / 7); }};
    return true;
  default:
    return false;
  }
}

void drawBar(Image& image, const Scale& scale, int left, int right, int top, int bottom) {
  for (int x = std::max(0, left); x < std::min(image.width, right); ++x) {
    const Rgb c = scale.color((x - left + 0.5) / (right - left));
    for (int y = top; y < bottom; ++y) {
      std::uint8_t* p = image.pixel(x, y);
      p[0] = toSrgbByte(c.r), p[1] = toSrgbByte(c.g), p[2] = toSrgbByte(c.b), p[3] = 255;
    }
  }
}

} // namespace

Image withLegend(Image sheet, ColorMode mode, const SheetOptions& options) {
  Scale scale;
  if (sheet.empty() || !scaleOf(mode, scale)) return sheet;
  const double size = options.text_size;
  const int strip = static_cast<int>(std::lround(2.4 * size)), top = sheet.height;
  Image out(sheet.width, sheet.height + strip);
  std::copy(sheet.rgba.begin(), sheet.rgba.end(), out.rgba.begin());
  const Rgb b = options.background;
  const std::uint8_t bytes[4] = {toSrgbByte(b.r), toSrgbByte(b.g), toSrgbByte(b.b), 255};
  for (std::size_t i = sheet.rgba.size(); i < out.rgba.size(); ++i) out.rgba[i] = bytes[i % 4];
  const double text_top = top + 0.3 * size;
  drawText(out, scale.low, size, text_top, size, options.text_color);
  const double begin = 2 * size + textWidth(scale.low, size);
  const double room = sheet.width - begin - 2 * size - textWidth(scale.high, size); // of a narrow sheet
  const int left = static_cast<int>(begin), right = left + static_cast<int>(std::clamp(room, 2 * size, 12 * size));
  drawBar(out, scale, left, right, static_cast<int>(text_top), static_cast<int>(text_top + size) + 1);
  drawText(out, scale.high, right + size, text_top, size, options.text_color);
  return out;
}

} // namespace skincells::render

#include "viz/render/picture/legend.h"

#include <algorithm>
#include <cmath>

#include "skincells/viz/text.h"
#include "viz/render/picture/color.h"

namespace skincells::render {
namespace {

struct Scale {
  std::string low, high;
  Rgb (*color)(double t); // t from 0 to 1
  int steps = 0;          // 0: continuous
};

bool scaleOf(ColorMode mode, int most_influences, Scale& scale) {
  switch (mode) {
  case ColorMode::Weights:
    scale = {"weight 0", "1", [](double t) { return sequentialColor(t); }};
    return true;
  case ColorMode::Stretch:
    scale = {"edges at half length", "double", [](double t) { return divergingColor(2 * t - 1); }};
    return true;
  case ColorMode::Difference:
    scale = {"gray: as the first skin; apart by 0.1 %", "3 % of the size",
             [](double t) { return sequentialColor(0.15 + 0.85 * t); }};
    return true;
  case ColorMode::InfluenceCount:
    scale = {"joints per vertex 1", std::to_string(most_influences), [](double t) { return sequentialColor(t); },
             most_influences};
    return true;
  default:
    return false;
  }
}

void drawBar(Image& image, const Scale& scale, int left, int right, int top, int bottom) {
  for (int x = std::max(0, left); x < std::min(image.width, right); ++x) {
    double t = (x - left + 0.5) / (right - left);
    if (scale.steps > 1) t = std::min(std::floor(t * scale.steps), scale.steps - 1.0) / (scale.steps - 1);
    const Rgb c = scale.color(t);
    for (int y = top; y < bottom; ++y) {
      std::uint8_t* p = image.pixel(x, y);
      p[0] = toSrgbByte(c.r), p[1] = toSrgbByte(c.g), p[2] = toSrgbByte(c.b), p[3] = 255;
    }
  }
}

} // namespace

int mostInfluencesShown(std::span<const LabeledSkin> skins) {
  constexpr int kUsual = 4;
  const bool more = std::ranges::any_of(skins, [](const LabeledSkin& skin) {
    for (std::size_t v = 0; v < skin.weights->vertexCount(); ++v)
      if (std::ranges::count_if(skin.weights->weightRow(v), [](float w) { return w > 0; }) > kUsual) return true;
    return false;
  });
  return more ? kMaxInfluences : kUsual;
}

Image legendAlone(ColorMode mode, const SheetOptions& options, int most_influences) {
  Scale scale;
  if (!scaleOf(mode, most_influences, scale)) return {};
  const int width = static_cast<int>(std::ceil(textWidth(scale.low, options.text_size) +
                                               textWidth(scale.high, options.text_size) + 18 * options.text_size));
  Image line(width, 1);
  std::ranges::fill(line.rgba, std::uint8_t{255});
  return withLegend(std::move(line), mode, options, most_influences);
}

Image withLegend(Image sheet, ColorMode mode, const SheetOptions& options, int most_influences) {
  Scale scale;
  if (sheet.empty() || !scaleOf(mode, most_influences, scale)) return sheet;
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

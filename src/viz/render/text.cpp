#include "skincells/viz/text.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "viz/render/color.h"
#include "viz/render/font.h"

namespace skincells {
namespace {

using namespace render;

// One character per code point; whatever is not printable ASCII becomes '?'.
std::string asciiOf(std::string_view text) {
  std::string out;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool continuation = (byte & 0xC0U) == 0x80U;
    if (!continuation) out += byte >= 32 && byte < 127 ? c : '?';
  }
  return out;
}

// Squared distance from (x, y) to the segment between two points.
double squaredDistance(double x, double y, double ax, double ay, double bx, double by) {
  const double dx = bx - ax, dy = by - ay, size = dx * dx + dy * dy;
  const double t = size > 0 ? std::clamp(((x - ax) * dx + (y - ay) * dy) / size, 0.0, 1.0) : 0;
  const double ex = ax + t * dx - x, ey = ay + t * dy - y;
  return ex * ex + ey * ey;
}

// Ink at a place of the glyph, in dots: neighboring dots are joined by round strokes, diagonally only if nothing else
// joins them. `softness` is the size of a pixel in dots.
double inkAt(char c, double x, double y, double softness) {
  constexpr double kStroke = 0.5; // half the width, in dots
  const int column = static_cast<int>(std::floor(x)), row = static_cast<int>(std::floor(y));
  double nearest = 4;
  for (int r = row - 1; r <= row + 1; ++r)
    for (int k = column - 1; k <= column + 1; ++k) {
      if (!glyphDot(c, k, r)) continue;
      for (int dr = -1; dr <= 1; ++dr)
        for (int dk = -1; dk <= 1; ++dk) {
          const bool bypassed = dr != 0 && dk != 0 && (glyphDot(c, k + dk, r) || glyphDot(c, k, r + dr));
          if (!glyphDot(c, k + dk, r + dr) || bypassed) continue;
          nearest = std::min(nearest, squaredDistance(x, y, k + 0.5, r + 0.5, k + dk + 0.5, r + dr + 0.5));
        }
    }
  return std::clamp((kStroke - std::sqrt(nearest)) / softness + 0.5, 0.0, 1.0);
}

void blendPixel(std::uint8_t* pixel, Rgb color, float alpha) {
  const float under = static_cast<float>(pixel[3]) / 255, over = alpha + under * (1 - alpha);
  const float share = over > 0 ? alpha / over : 0;
  const float ink[3] = {color.r, color.g, color.b};
  for (int i = 0; i < 3; ++i) pixel[i] = toSrgbByte(fromSrgbByte(pixel[i]) * (1 - share) + ink[i] * share);
  pixel[3] = static_cast<std::uint8_t>(std::lround(255 * over));
}

} // namespace

double textWidth(std::string_view text, double size) {
  const auto count = static_cast<double>(asciiOf(text).size());
  return count > 0 ? (count * kGlyphAdvance - (kGlyphAdvance - kGlyphWidth)) * size / kCapitalHeight : 0;
}

void drawText(Image& image, std::string_view text, double x, double y, double size, Rgb color) {
  const std::string ascii = asciiOf(text);
  const double dot = size / kCapitalHeight, softness = std::min(1.0, 1 / dot);
  const int top = std::max(0, static_cast<int>(std::floor(y)));
  const int bottom = std::min(image.height, static_cast<int>(std::ceil(y + kGlyphHeight * dot)));
  for (std::size_t i = 0; i < ascii.size(); ++i) {
    const double glyph_x = x + static_cast<double>(i) * kGlyphAdvance * dot;
    const int left = std::max(0, static_cast<int>(std::floor(glyph_x)) - 1);
    const int right = std::min(image.width, static_cast<int>(std::ceil(glyph_x + kGlyphWidth * dot)) + 1);
    for (int py = top; py < bottom; ++py)
      for (int px = left; px < right; ++px) {
        const double ink = inkAt(ascii[i], (px + 0.5 - glyph_x) / dot, (py + 0.5 - y) / dot, softness);
        if (ink > 0) blendPixel(image.pixel(px, py), color, static_cast<float>(ink));
      }
  }
}

} // namespace skincells

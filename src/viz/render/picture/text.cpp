#include "skincells/viz/text.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "text/utf8.h"
#include "viz/render/picture/blend.h"
#include "viz/render/picture/font.h"

namespace skincells {
namespace {

using namespace render;

const FontGlyph& glyphOf(const Font& font, std::uint32_t code) {
  const auto found = std::ranges::lower_bound(font.glyphs, code, {}, &FontGlyph::code);
  if (found != font.glyphs.end() && found->code == code) return *found;
  return *std::ranges::lower_bound(font.glyphs, std::uint32_t{'?'}, {}, &FontGlyph::code);
}

// An edge of an outline in pixels, y down.
struct Edge {
  double x0, y0, x1, y1;
};

std::vector<Edge> edgesOf(const Font& font, const FontGlyph& glyph, double x, double baseline, double scale) {
  std::vector<Edge> edges;
  for (std::size_t i = glyph.first; i < std::size_t{glyph.first} + glyph.count;) {
    const auto count = static_cast<std::size_t>(font.outlines[i]);
    const std::int16_t* points = &font.outlines[i + 1];
    for (std::size_t a = 0; a < count; ++a) {
      const std::size_t b = (a + 1) % count;
      edges.push_back({x + scale * points[2 * a], baseline - scale * points[2 * a + 1], x + scale * points[2 * b],
                       baseline - scale * points[2 * b + 1]});
    }
    i += 1 + 2 * count;
  }
  return edges;
}

struct Crossing {
  double x;
  int winding;
};

// Adds the share of each pixel between two places on a line, `weight` for a whole pixel.
void addSpan(std::vector<float>& row, double begin, double end, float weight) {
  begin = std::max(begin, 0.0), end = std::min(end, static_cast<double>(row.size()));
  for (auto x = static_cast<std::size_t>(begin); static_cast<double>(x) < end; ++x) {
    const double from = std::max(begin, static_cast<double>(x)), to = std::min(end, static_cast<double>(x) + 1);
    row[x] += weight * static_cast<float>(to - from);
  }
}

// The share of each pixel of a row that is inside the outlines, measured along a few lines.
void coverRow(const std::vector<Edge>& edges, int y, std::vector<float>& row) {
  constexpr int kLines = 8;
  std::vector<Crossing> crossings;
  for (int line = 0; line < kLines; ++line) {
    const double at = y + (line + 0.5) / kLines;
    crossings.clear();
    for (const Edge& e : edges)
      if ((e.y0 <= at) != (e.y1 <= at))
        crossings.push_back({e.x0 + (at - e.y0) / (e.y1 - e.y0) * (e.x1 - e.x0), e.y0 <= at ? 1 : -1});
    std::ranges::sort(crossings, {}, &Crossing::x);
    int winding = 0;
    for (std::size_t i = 0; i + 1 < crossings.size(); ++i) {
      winding += crossings[i].winding;
      if (winding != 0) addSpan(row, crossings[i].x, crossings[i + 1].x, 1.0F / kLines);
    }
  }
}

} // namespace

double textWidth(std::string_view text, double size) {
  const Font font = builtInFont();
  double width = 0;
  for (std::uint32_t code : text::codePoints(text)) width += glyphOf(font, code).advance;
  return width * size / font.capital_height;
}

void drawText(Image& image, std::string_view text, double x, double y, double size, Rgb color) {
  const Font font = builtInFont();
  const double scale = size / font.capital_height, baseline = y + size;
  std::vector<Edge> edges;
  for (std::uint32_t code : text::codePoints(text)) {
    const FontGlyph& glyph = glyphOf(font, code);
    const auto more = edgesOf(font, glyph, x, baseline, scale);
    edges.insert(edges.end(), more.begin(), more.end());
    x += scale * glyph.advance;
  }
  const int top = std::max(0, static_cast<int>(std::floor(y - size))); // accents are above capitals
  const int bottom = std::min(image.height, static_cast<int>(std::ceil(baseline + size)));
  std::vector<float> row;
  for (int py = top; py < bottom; ++py) {
    row.assign(static_cast<std::size_t>(image.width), 0);
    coverRow(edges, py, row);
    for (int px = 0; px < image.width; ++px)
      if (const float ink = row[static_cast<std::size_t>(px)]; ink > 0)
        blendPixel(image.pixel(px, py), color, std::min(1.0F, ink));
  }
}

} // namespace skincells

#include "skincells/viz/sheet.h"

#include <algorithm>
#include <cmath>

#include "skincells/viz/text.h"
#include "text/utf8.h"
#include "viz/render/picture/color.h"

namespace skincells {
namespace {

using namespace render;

// Shortens text that is wider than `width` in its middle.
std::string fitted(const std::string& text, double width, double size) {
  if (textWidth(text, size) <= width) return text;
  for (std::size_t most = text::codePoints(text).size() - 1; most >= 3; --most)
    if (std::string shorter = text::shortened(text, most); textWidth(shorter, size) <= width) return shorter;
  return {};
}

void fill(Image& image, const Rgb& color) {
  const std::uint8_t bytes[4] = {toSrgbByte(color.r), toSrgbByte(color.g), toSrgbByte(color.b), 255};
  for (std::size_t i = 0; i < image.rgba.size(); ++i) image.rgba[i] = bytes[i % 4];
}

// Blends one image over another by its alpha.
void place(Image& onto, const Image& image, int left, int top) {
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const std::uint8_t* from = image.pixel(x, y);
      std::uint8_t* to = onto.pixel(left + x, top + y);
      const float alpha = static_cast<float>(from[3]) / 255;
      for (int c = 0; c < 3; ++c) to[c] = toSrgbByte(fromSrgbByte(from[c]) * alpha + fromSrgbByte(to[c]) * (1 - alpha));
    }
}

struct Layout {
  int columns, rows, cell_width = 0, cell_height = 0, gap, caption, header;

  int width() const { return gap + columns * (cell_width + gap); }
  int height() const { return header + gap + rows * (cell_height + caption + gap); }
};

Layout layOut(std::span<const SheetCell> cells, const SheetOptions& options) {
  Layout l{};
  const int count = static_cast<int>(cells.size());
  const int square = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count))));
  l.columns = std::clamp(options.columns > 0 ? options.columns : square, 1, std::max(count, 1));
  l.rows = (count + l.columns - 1) / l.columns;
  bool captions = false;
  for (const SheetCell& cell : cells) {
    l.cell_width = std::max(l.cell_width, cell.image.width);
    l.cell_height = std::max(l.cell_height, cell.image.height);
    captions = captions || !cell.caption.empty();
  }
  l.gap = static_cast<int>(std::lround(options.text_size));
  l.caption = captions ? static_cast<int>(std::lround(2.3 * options.text_size)) : 0;
  l.header = options.title.empty() ? 0 : static_cast<int>(std::lround(3.2 * options.text_size));
  return l;
}

} // namespace

Image contactSheet(std::span<const SheetCell> cells, const SheetOptions& options) {
  const Layout l = layOut(cells, options);
  if (cells.empty() || l.cell_width == 0) return {};
  const double size = options.text_size, title_size = 1.4 * size;
  Image sheet(l.width(), l.height());
  fill(sheet, options.background);
  drawText(sheet, fitted(options.title, l.width() - 2 * l.gap, title_size), l.gap, 1.2 * size, title_size,
           options.text_color);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const int column = static_cast<int>(i) % l.columns, row = static_cast<int>(i) / l.columns;
    const int left = l.gap + column * (l.cell_width + l.gap);
    const int top = l.header + l.gap + row * (l.cell_height + l.caption + l.gap);
    const Image& image = cells[i].image;
    place(sheet, image, left + (l.cell_width - image.width) / 2, top + (l.cell_height - image.height) / 2);
    const std::string caption = fitted(cells[i].caption, l.cell_width, size);
    drawText(sheet, caption, left + (l.cell_width - textWidth(caption, size)) / 2, top + l.cell_height + 0.7 * size,
             size, options.text_color);
  }
  return sheet;
}

} // namespace skincells

// The typeface of pictures: outlines of DejaVu Sans, compiled in (cmake/SkincellsFont.cmake).
#pragma once

#include <cstdint>
#include <span>

namespace skincells::render {

// Lengths are in units of the font, y up from the base line.
struct FontGlyph {
  std::uint32_t code; // of the character
  std::int32_t advance;
  std::uint32_t first, count; // numbers in Font::outlines: for each closed line its number of points, then x and y each
};

struct Font {
  std::span<const FontGlyph> glyphs; // by code
  std::span<const std::int16_t> outlines;
  int capital_height;
};
Font builtInFont();

} // namespace skincells::render

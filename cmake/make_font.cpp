// Writes the outlines of a font as a C++ source, so that pictures need no font file: make_font FONT OUTPUT
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

namespace {

// Western and central European letters, and marks that labels use.
constexpr unsigned kFirst = 0x20, kLast = 0x17F;
constexpr unsigned kMarks[] = {0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026, 0x2192, 0x2212};
constexpr int kCurvePieces = 4;

using Point = FT_Vector;

struct Contours {
  std::vector<std::vector<Point>> lines; // closed
};

int moveTo(const Point* to, void* user) {
  static_cast<Contours*>(user)->lines.push_back({*to});
  return 0;
}
int lineTo(const Point* to, void* user) {
  static_cast<Contours*>(user)->lines.back().push_back(*to);
  return 0;
}
int curveTo(const Point* control, const Point* to, void* user) {
  auto& line = static_cast<Contours*>(user)->lines.back();
  const Point from = line.back();
  for (int i = 1; i <= kCurvePieces; ++i) {
    const double t = static_cast<double>(i) / kCurvePieces, a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
    const auto mixed = [&](long p, long q, long r) {
      return static_cast<long>(a * static_cast<double>(p) + b * static_cast<double>(q) + c * static_cast<double>(r));
    };
    line.push_back({mixed(from.x, control->x, to->x), mixed(from.y, control->y, to->y)});
  }
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  FT_Library library = nullptr;
  FT_Face face = nullptr;
  if (argc != 3 || FT_Init_FreeType(&library) != 0 || FT_New_Face(library, argv[1], 0, &face) != 0) {
    std::fprintf(stderr, "make_font: cannot read the font\n");
    return 1;
  }
  std::vector<unsigned> codes;
  for (unsigned c = kFirst; c <= kLast; ++c) codes.push_back(c);
  codes.insert(codes.end(), std::begin(kMarks), std::end(kMarks));
  FT_Outline_Funcs functions{};
  functions.move_to = moveTo, functions.line_to = lineTo, functions.conic_to = curveTo;
  std::string outlines, glyphs;
  std::size_t numbers = 0;
  long capital = 0;
  for (unsigned code : codes) {
    const FT_UInt index = FT_Get_Char_Index(face, code);
    if (index == 0 || FT_Load_Glyph(face, index, FT_LOAD_NO_SCALE) != 0) continue;
    Contours contours;
    FT_Outline_Decompose(&face->glyph->outline, &functions, &contours);
    const std::size_t first = numbers;
    for (const auto& line : contours.lines) {
      outlines += std::to_string(line.size()) + ",";
      for (const Point& p : line) outlines += std::to_string(p.x) + "," + std::to_string(p.y) + ",";
      outlines += "\n";
      numbers += 1 + 2 * line.size();
    }
    glyphs += "{" + std::to_string(code) + "," + std::to_string(face->glyph->advance.x) + "," + std::to_string(first) +
              "," + std::to_string(numbers - first) + "},\n";
    if (code == 'H') capital = face->glyph->metrics.height;
  }
  std::ofstream out(argv[2]);
  out << "#include \"viz/render/picture/font.h\"\n\nnamespace skincells::render {\n\nstatic const std::int16_t kOutlines[] = {\n"
      << outlines << "};\nstatic const FontGlyph kGlyphs[] = {\n"
      << glyphs << "};\n\nFont builtInFont() {\n  return {kGlyphs, kOutlines, " << capital
      << "};\n}\n\n} // namespace skincells::render\n";
  FT_Done_Face(face);
  FT_Done_FreeType(library);
  return out.good() ? 0 : 1;
}

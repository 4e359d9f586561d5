// The built-in typeface: fixed width, printable ASCII.
#pragma once

namespace skincells::render {

inline constexpr int kGlyphWidth = 5, kGlyphAdvance = 6;
inline constexpr int kCapitalHeight = 7, kGlyphHeight = 9; // two rows reach below the base line

// Whether that dot of a character's picture is set; false outside the picture.
bool glyphDot(char c, int column, int row);

} // namespace skincells::render

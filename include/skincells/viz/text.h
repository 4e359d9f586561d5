// Text in pictures.
#pragma once

#include <string_view>

#include "skincells/viz/color.h"
#include "skincells/viz/image.h"

namespace skincells {

// Writes UTF-8 text in the built-in typeface (DejaVu Sans), the top left corner of its first capital at (x, y); `size`
// is the height of a capital letter in pixels. Text outside the image is clipped. The typeface has the letters of
// European languages; other characters are drawn as '?'.
void drawText(Image& image, std::string_view text, double x, double y, double size, Rgb color);
double textWidth(std::string_view text, double size);

} // namespace skincells

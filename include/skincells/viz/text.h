// Text in pictures.
#pragma once

#include <string_view>

#include "skincells/viz/color.h"
#include "skincells/viz/image.h"

namespace skincells {

// Writes ASCII text in the built-in fixed-width face, its top left corner at (x, y); `size` is the height of a
// capital letter in pixels. Text outside the image is clipped; other characters are drawn as '?'.
void drawText(Image& image, std::string_view text, double x, double y, double size, Rgb color);
double textWidth(std::string_view text, double size);

} // namespace skincells

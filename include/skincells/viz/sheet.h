// Pictures side by side with captions below them.
#pragma once

#include <span>
#include <string>

#include "skincells/viz/color.h"
#include "skincells/viz/image.h"

namespace skincells {

struct SheetCell {
  Image image;
  std::string caption;
};
struct SheetOptions {
  int columns = 0; // 0: about as many as rows
  std::string title;
  double text_size = 11; // height of a capital letter, pixels
  Rgb background = rgbFromSrgb(255, 255, 255);
  Rgb text_color = rgbFromSrgb(40, 44, 52);
};
Image contactSheet(std::span<const SheetCell> cells, const SheetOptions& options = {});

} // namespace skincells

// Colors and color scales.
#pragma once

namespace skincells {

// A color in linear light, 0 .. 1 per channel.
struct Rgb {
  float r = 0, g = 0, b = 0;
  friend bool operator==(const Rgb&, const Rgb&) = default;
};
Rgb rgbFromSrgb(int r, int g, int b); // from 0 .. 255 as in "#rrggbb"

// Color scales that read the same with and without color vision.
Rgb sequentialColor(double t); // 0: dark blue, 1: light yellow, with evenly growing lightness
Rgb divergingColor(double t);  // -1: blue, 0: light gray, 1: orange

} // namespace skincells

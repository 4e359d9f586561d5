// Ink over a picture.
#pragma once

#include <cmath>

#include "viz/render/picture/color.h"

namespace skincells::render {

inline void blendPixel(std::uint8_t* pixel, const Rgb& color, float alpha) {
  const float under = static_cast<float>(pixel[3]) / 255, over = alpha + under * (1 - alpha);
  const float share = over > 0 ? alpha / over : 0;
  const float ink[3] = {color.r, color.g, color.b};
  for (int i = 0; i < 3; ++i) pixel[i] = toSrgbByte(fromSrgbByte(pixel[i]) * (1 - share) + ink[i] * share);
  pixel[3] = static_cast<std::uint8_t>(std::lround(255 * over));
}

} // namespace skincells::render

// Color arithmetic of the renderer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "skincells/io/base_colors.h"
#include "skincells/viz/color.h"

namespace skincells::render {

inline Rgb operator+(const Rgb& a, const Rgb& b) {
  return {a.r + b.r, a.g + b.g, a.b + b.b};
}
inline Rgb operator*(const Rgb& a, float s) {
  return {a.r * s, a.g * s, a.b * s};
}
inline Rgb operator*(const Rgb& a, const Rgb& b) {
  return {a.r * b.r, a.g * b.g, a.b * b.b};
}
inline Rgb mix(const Rgb& a, const Rgb& b, float t) {
  return a * (1 - t) + b * t;
}

// Linear light to an sRGB byte; values outside 0 .. 1 are clamped.
std::uint8_t toSrgbByte(float linear);
float fromSrgbByte(std::uint8_t byte);

// Oklab (Ottosson 2020): equal distances look about equally different.
struct Lab {
  double l = 0, a = 0, b = 0;
};
Lab toLab(const Rgb& color);
Rgb fromLab(const Lab& color); // clamped to sRGB

// One color per triangle: that of its material, brightened where it is nearly black.
std::vector<Rgb> shownColors(std::span<const MaterialRun> runs);

inline constexpr Rgb kClay{0.52f, 0.46f, 0.41f};       // a mesh without colors
inline constexpr Rgb kUnaffected{0.40f, 0.41f, 0.43f}; // where a joint has no weight

} // namespace skincells::render

#include "viz/render/picture/color.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace skincells {
namespace render {
namespace {

// Indexed by the square root of the linear value, which spreads the dark end about as sRGB does.
constexpr std::size_t kEncodeSize = 4096;

double encode(double x) {
  return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
}
double decode(double x) {
  return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
}

std::array<std::uint8_t, kEncodeSize> makeEncodeTable() {
  std::array<std::uint8_t, kEncodeSize> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double root = static_cast<double>(i) / (kEncodeSize - 1);
    table[i] = static_cast<std::uint8_t>(std::lround(255 * encode(root * root)));
  }
  return table;
}

std::array<float, 256> makeDecodeTable() {
  std::array<float, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(decode(static_cast<double>(i) / 255));
  return table;
}

struct Stop {
  double at;
  Lab color;
};

// Interpolates between stops in Oklab.
template <std::size_t N> Rgb ramp(const std::array<Stop, N>& stops, double t) {
  std::size_t i = 1;
  while (i + 1 < N && t > stops[i].at) ++i;
  const Stop &a = stops[i - 1], &b = stops[i];
  const double s = std::clamp((t - a.at) / (b.at - a.at), 0.0, 1.0);
  return fromLab({a.color.l + (b.color.l - a.color.l) * s, a.color.a + (b.color.a - a.color.a) * s,
                  a.color.b + (b.color.b - a.color.b) * s});
}

} // namespace

std::uint8_t toSrgbByte(float linear) {
  static const auto table = makeEncodeTable();
  if (!(linear > 0)) return 0;
  const float root = std::sqrt(std::min(linear, 1.0f));
  return table[static_cast<std::size_t>(root * (kEncodeSize - 1) + 0.5f)];
}

float fromSrgbByte(std::uint8_t byte) {
  static const auto table = makeDecodeTable();
  return table[byte];
}

Lab toLab(const Rgb& c) {
  const double r = c.r, g = c.g, b = c.b;
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Rgb fromLab(const Lab& c) {
  const double l = std::pow(c.l + 0.3963377774 * c.a + 0.2158037573 * c.b, 3);
  const double m = std::pow(c.l - 0.1055613458 * c.a - 0.0638541728 * c.b, 3);
  const double s = std::pow(c.l - 0.0894841775 * c.a - 1.2914855480 * c.b, 3);
  const auto cut = [](double x) { return static_cast<float>(std::clamp(x, 0.0, 1.0)); };
  return {cut(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          cut(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          cut(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

} // namespace render

Rgb rgbFromSrgb(int r, int g, int b) {
  const auto channel = [](int x) { return render::fromSrgbByte(static_cast<std::uint8_t>(std::clamp(x, 0, 255))); };
  return {channel(r), channel(g), channel(b)};
}

Rgb sequentialColor(double t) {
  // Even steps in lightness from violet blue over teal and green to yellow.
  static constexpr std::array<render::Stop, 6> kStops{{{0.0, {0.28, 0.055, -0.125}},
                                                       {0.2, {0.41, 0.005, -0.125}},
                                                       {0.4, {0.54, -0.065, -0.055}},
                                                       {0.6, {0.67, -0.125, 0.030}},
                                                       {0.8, {0.80, -0.130, 0.125}},
                                                       {1.0, {0.94, -0.050, 0.180}}}};
  return render::ramp(kStops, t);
}

Rgb divergingColor(double t) {
  static constexpr std::array<render::Stop, 5> kStops{{{-1.0, {0.42, -0.020, -0.165}},
                                                       {-0.5, {0.63, -0.035, -0.105}},
                                                       {0.0, {0.82, 0.000, 0.008}},
                                                       {0.5, {0.69, 0.065, 0.115}},
                                                       {1.0, {0.52, 0.125, 0.105}}}};
  return render::ramp(kStops, t);
}

} // namespace skincells

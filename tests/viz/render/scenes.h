// Scenes whose picture is known beforehand.
#pragma once

#include <cmath>

#include "skincells/viz/render.h"
#include "support/shapes.h"

namespace skincells::test {

// A sphere around the origin.
inline Mesh sphere(double radius, int rings, int sides) {
  Mesh mesh = tube(2, 1, rings, sides); // the same connectivity
  const auto count = static_cast<std::size_t>(rings) * static_cast<std::size_t>(sides);
  for (std::size_t v = 0; v < count; ++v) {
    const double polar = M_PI * (static_cast<double>(v / static_cast<std::size_t>(sides)) + 1) / (rings + 1);
    const double turn = 2 * M_PI * static_cast<double>(v % static_cast<std::size_t>(sides)) / sides;
    mesh.positions[v] =
        toFloat(Vec3d{std::sin(polar) * std::cos(turn), -std::cos(polar), std::sin(polar) * std::sin(turn)} * radius);
  }
  mesh.positions[count] = toFloat({0, -radius, 0});
  mesh.positions[count + 1] = toFloat({0, radius, 0});
  return mesh;
}

// Sixteen pixels see the plane z = 0 from -2 to 2, so that one unit is four pixels.
inline Camera unitCamera() {
  Camera camera;
  camera.eye = {0, 0, 10};
  camera.field_of_view = 2 * std::atan(0.2) * 180 / M_PI;
  return camera;
}

// No light effects: what is drawn differs from the background, the rest does not.
inline RenderOptions bareOptions(int width, int height) {
  RenderOptions options;
  options.width = width, options.height = height;
  options.supersampling = 1;
  options.ambient_occlusion = options.ground_shadow = false;
  options.transparent = true;
  return options;
}

inline int drawnPixels(const Image& image) {
  int count = 0;
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) count += image.rgba[i] > 0 ? 1 : 0;
  return count;
}

inline std::vector<Rgb> allOf(std::size_t count, const Rgb& color) {
  return std::vector<Rgb>(count, color);
}

} // namespace skincells::test

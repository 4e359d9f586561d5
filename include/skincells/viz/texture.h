// Images on the surface of a mesh.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "skincells/io/base_colors.h"
#include "skincells/mesh.h"
#include "skincells/viz/color.h"
#include "skincells/viz/image.h"

namespace skincells {

// An image with smaller copies of itself, each half as large, for distant surfaces.
class Texture {
public:
  // The image must not be empty. It is reduced to 2048 pixels at most on each side.
  explicit Texture(Image image, TextureWrap wrap_u = TextureWrap::Repeat, TextureWrap wrap_v = TextureWrap::Repeat);

  struct Sample {
    Rgb color;
    float alpha = 1;
  };
  // The color at a place, v down. footprint: size of a picture's pixel in pixels of the image.
  Sample at(float u, float v, double footprint = 1) const;
  int width() const { return levels_.front().width; }
  int height() const { return levels_.front().height; }

private:
  std::vector<Image> levels_; // largest first
  TextureWrap wrap_u_, wrap_v_;
};

// Which texture is where on a mesh.
struct SurfaceTextures {
  std::vector<Texture> textures;
  std::vector<int> of_triangle;                // -1: none
  std::vector<std::array<float, 2>> places;    // three per triangle
  std::vector<float> alpha_cutoff_of_triangle; // less alpha is a hole; 0: no holes

  bool empty() const { return textures.empty(); }
};

// How a character looks: one color per triangle, multiplied with textures.
struct Appearance {
  std::vector<Rgb> triangle_colors; // nearly black ones are brightened, so that the shape can be seen
  SurfaceTextures textures;
  Warnings warnings; // textures that are not shown, and why
};
Appearance appearanceOf(const Mesh& mesh, const BaseColors& colors);

} // namespace skincells

// The base colors of a character's materials, for pictures.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "skincells/result.h"

namespace skincells {

enum class TextureWrap { Repeat, Mirror, Clamp }; // outside 0 .. 1

// An image as it is in the file, and how it goes on beyond its borders.
struct BaseColorTexture {
  std::vector<std::uint8_t> bytes; // a PNG or JPEG file
  std::string where;               // its place in the character file
  TextureWrap wrap_u = TextureWrap::Repeat, wrap_v = TextureWrap::Repeat;
};

// Triangles with one material.
struct MaterialRun {
  std::uint32_t first_triangle = 0, triangle_count = 0;
  std::array<float, 3> color{0.8f, 0.8f, 0.8f}; // linear RGB; multiplies the texture
  int texture = -1;                             // index into BaseColors::textures; -1: none
  float alpha_cutoff = 0;                       // where the texture has less alpha, there is a hole; 0: no holes
};

struct BaseColors {
  std::vector<BaseColorTexture> textures;
  std::vector<MaterialRun> runs;                    // cover all triangles of the mesh, in order
  std::vector<std::array<float, 2>> texture_places; // three per triangle, v down; empty if there are no textures
  Warnings warnings;                                // "texture.*": images that cannot be shown
};

} // namespace skincells

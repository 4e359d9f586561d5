// Which triangle is seen where: a z-buffer rasterizer.
#pragma once

#include <functional>
#include <span>

#include "skincells/mesh.h"
#include "viz/render/projection.h"

namespace skincells::render {

inline constexpr std::uint32_t kNothing = 0xFFFFFFFFU;

// For each sample the triangle seen there and how near it is.
struct Visibility {
  int width = 0, height = 0;
  std::vector<std::uint32_t> triangle; // or kNothing
  std::vector<float> inverse_depth;    // 1 / view depth; 0 where nothing is seen

  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  }
};

// Triangles with holes, and where they are solid. Called from several threads.
struct Holes {
  std::span<const float> cutoff_of_triangle; // 0: no holes
  std::function<bool(std::uint32_t triangle, int x, int y)> solid;
};

// Triangles are drawn from both sides and share no sample along common edges. Of triangles at one depth the first
// wins. Those with a corner that is not finite are left out, and what is nearer than the near depth is cut off.
Visibility rasterize(std::span<const Vec3f> view_positions, std::span<const Triangle> triangles,
                     const Projection& projection, const Holes* holes = nullptr);

} // namespace skincells::render

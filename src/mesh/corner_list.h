// The triangles around each vertex.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "skincells/mesh.h"

namespace skincells::mesh {

class CornerList {
public:
  struct Corner {
    std::uint32_t triangle = 0, corner = 0; // corner: 0 .. 2
  };

  CornerList(std::span<const Triangle> triangles, std::size_t vertex_count) : first_(vertex_count + 1, 0) {
    for (const Triangle& t : triangles)
      for (const std::uint32_t v : t) ++first_[v + 1];
    for (std::size_t v = 0; v < vertex_count; ++v) first_[v + 1] += first_[v];
    corners_.resize(3 * triangles.size());
    auto next = first_;
    for (std::uint32_t t = 0; t < triangles.size(); ++t)
      for (std::uint32_t c = 0; c < 3; ++c) corners_[next[triangles[t][c]]++] = {t, c};
  }

  // The corners at a vertex, in the order of the triangles.
  std::span<const Corner> operator[](std::size_t vertex) const {
    return std::span(corners_).subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
  }

private:
  std::vector<std::size_t> first_;
  std::vector<Corner> corners_;
};

} // namespace skincells::mesh

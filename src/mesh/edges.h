// The edges of a welded mesh.
#pragma once

#include <cstdint>
#include <vector>

#include "skincells/mesh.h"

namespace skincells::mesh {

struct Edge {
  std::uint32_t a = 0, b = 0;       // vertices, a < b
  std::uint32_t triangle_count = 0; // triangles that use the edge
};

// Every edge once, sorted by (a, b).
std::vector<Edge> findEdges(const std::vector<Triangle>& triangles);

} // namespace skincells::mesh

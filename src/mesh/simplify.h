// A coarser mesh that keeps the shape at a chosen length.
#pragma once

#include <cstdint>
#include <vector>

#include "skincells/mesh.h"

namespace skincells::mesh {

struct Clustered {
  Mesh mesh;                                    // one vertex per cluster, at the mean of its members; no sections
  std::vector<std::uint32_t> cluster_of_vertex; // vertex of the input -> vertex of `mesh`
};

// Joins vertices that share a cube of side `cell` and are connected by edges inside that cube: two sheets that only
// pass close to each other (fingers, lips, layers of cloth) stay apart. Triangles that lost a corner or repeat an
// earlier one are dropped, the others keep their order. Clusters are numbered by first member.
// cell: a length; 0 or less: nothing is joined.
Clustered clusterVertices(const Mesh& welded, double cell);

// The same, but with at most `most` vertices: a triangle soup has nothing to join along edges. Where the connected
// clusters are too many, everything that shares a cube is joined, in larger and larger cubes.
// most: at least 1.
Clustered clusterVertices(const Mesh& welded, double cell, std::uint32_t most);

} // namespace skincells::mesh

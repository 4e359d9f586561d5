// Vertex clustering: a coarser mesh with details down to a chosen length.
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

// The same with at most `most` (>= 1) vertices. If there are too many connected clusters, as in a triangle soup, which
// has no shared edges, joins all vertices in a cube, connected or not, and enlarges the cubes until there are few
// enough.
Clustered clusterVertices(const Mesh& welded, double cell, std::uint32_t most);

} // namespace skincells::mesh

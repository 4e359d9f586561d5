// Triangle meshes: positions in bind space, and triangles that index them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "skincells/math.h"

namespace skincells {

using Triangle = std::array<std::uint32_t, 3>;

// A run of vertices and triangles that came from one vertex buffer of the file.
struct MeshSection {
  std::string name;  // name of the mesh (and primitive) in the file
  std::string where; // JSON pointer or other place in the file
  std::uint32_t first_vertex = 0, vertex_count = 0;
  std::uint32_t first_triangle = 0, triangle_count = 0;
  std::array<float, 3> color{0.8f, 0.8f, 0.8f}; // linear RGB of the material, for images
  int skeleton = -1;                            // Joint::skeleton of the joints that its skin uses; -1: no skin
  std::string material = {};                    // name of its material, or of the first of several
};

// May be open, non-manifold, in many parts, with duplicated seam vertices and degenerate triangles.
// Positions must be finite and triangle indices in range; the readers of this library check both.
struct Mesh {
  std::vector<Vec3f> positions; // in bind space
  std::vector<Triangle> triangles;
  std::vector<MeshSection> sections; // cover all vertices and triangles, in order

  std::uint32_t vertexCount() const { return static_cast<std::uint32_t>(positions.size()); }
  Box bounds() const;
};

// Which vertices share a position. They get the same weights.
struct Weld {
  std::vector<std::uint32_t> welded_of_vertex; // vertex -> welded vertex
  std::vector<std::uint32_t> first_vertex;     // welded vertex -> its first vertex

  std::uint32_t weldedCount() const { return static_cast<std::uint32_t>(first_vertex.size()); }
};

// Joins vertices closer than `tolerance` (a length; 0: exactly equal positions) in every coordinate.
// Welded vertices are numbered by first appearance.
Weld weldByPosition(std::span<const Vec3f> positions, double tolerance);

// The default tolerance for weldByPosition: 1e-6 of the diagonal of trimmedBounds.
double weldTolerance(const Mesh& mesh);

// The bounds without strays: those of the vertices that triangles use, if there are triangles. If the middle 98 % of
// these vertices along each axis fit into an eighth of that size, the bounds of the middle.
Box trimmedBounds(const Mesh& mesh);

// The mesh with its vertices welded; triangles that lost a corner are dropped, the others keep their order.
Mesh weldedMesh(const Mesh& mesh, const Weld& weld);

// Counts of edges, defects and parts, measured on the welded mesh.
struct Topology {
  std::uint32_t welded_vertex_count = 0;
  std::uint32_t edge_count = 0;
  std::uint32_t open_edge_count = 0;           // edges of one triangle
  std::uint32_t non_manifold_edge_count = 0;   // edges of three or more triangles
  std::uint32_t degenerate_triangle_count = 0; // two equal corners after welding, or no area
  std::uint32_t duplicate_triangle_count = 0;  // with the same three corners as an earlier triangle
  std::uint32_t loose_vertex_count = 0;        // welded vertices that no triangle uses
  std::uint32_t island_count = 0;              // connected parts with at least one triangle
};
Topology analyzeTopology(const Mesh& mesh, const Weld& weld);

// Connected parts of the welded mesh, numbered by first vertex; each loose vertex is an island.
struct Islands {
  std::vector<std::uint32_t> island_of_vertex; // welded vertex -> island
  std::uint32_t count = 0;
};
Islands findIslands(const Mesh& welded);

} // namespace skincells

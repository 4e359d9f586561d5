// Triangle meshes as this library sees them: positions in bind space and triangles over them.
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
  std::string name;  // of the mesh (and primitive) it came from
  std::string where; // JSON pointer or other place in the file
  std::uint32_t first_vertex = 0, vertex_count = 0;
  std::uint32_t first_triangle = 0, triangle_count = 0;
  std::array<float, 3> color{0.8f, 0.8f, 0.8f}; // linear RGB of its material, for pictures
};

// Any mesh is welcome: open, non-manifold, many parts, duplicated seam vertices, degenerate triangles.
// Positions are finite and triangle indices in range (readers see to that).
struct Mesh {
  std::vector<Vec3f> positions; // in bind space
  std::vector<Triangle> triangles;
  std::vector<MeshSection> sections; // cover all vertices and triangles, in order

  std::uint32_t vertexCount() const { return static_cast<std::uint32_t>(positions.size()); }
  Box bounds() const;
};

// Vertices at one position are one vertex as far as weights are concerned.
struct Weld {
  std::vector<std::uint32_t> welded_of_vertex; // vertex -> welded vertex
  std::vector<std::uint32_t> first_vertex;     // welded vertex -> its first vertex

  std::uint32_t weldedCount() const { return static_cast<std::uint32_t>(first_vertex.size()); }
};

// Joins vertices closer than `tolerance` (a length; 0: exactly equal positions) in every coordinate.
// Welded vertices are numbered by first appearance.
Weld weldByPosition(std::span<const Vec3f> positions, double tolerance);

// The distance below which two vertices count as one: 1e-6 of the bounding-box diagonal.
double weldTolerance(const Mesh& mesh);

// The mesh with its vertices welded; triangles that lost a corner are dropped, the others keep their order.
Mesh weldedMesh(const Mesh& mesh, const Weld& weld);

// What a mesh is like, counted on the welded mesh.
struct Topology {
  std::uint32_t welded_vertex_count = 0;
  std::uint32_t edge_count = 0;
  std::uint32_t open_edge_count = 0;           // with one triangle
  std::uint32_t non_manifold_edge_count = 0;   // with three or more triangles
  std::uint32_t degenerate_triangle_count = 0; // two equal corners after welding, or no area
  std::uint32_t duplicate_triangle_count = 0;  // the same three corners as an earlier triangle
  std::uint32_t loose_vertex_count = 0;        // welded vertices that no triangle uses
  std::uint32_t island_count = 0;              // connected parts that have a triangle
};
Topology analyzeTopology(const Mesh& mesh, const Weld& weld);

// Connected parts of the welded mesh, numbered by first vertex; loose vertices are islands of their own.
struct Islands {
  std::vector<std::uint32_t> island_of_vertex; // welded vertex -> island
  std::uint32_t count = 0;
};
Islands findIslands(const Mesh& welded);

} // namespace skincells

// Areas, normals and cotangent weights of a welded mesh, and measures of its connected parts.
#pragma once

#include <cstdint>
#include <vector>

#include "skincells/mesh.h"

namespace skincells::mesh {

struct EdgeWeight {
  std::uint32_t a = 0, b = 0; // vertices, a < b
  double weight = 0;          // half the sum of the cotangents of the angles opposite the edge
};

// Every edge once, sorted by (a, b). Thin triangles give negative or very large weights; corners without area add
// nothing.
std::vector<EdgeWeight> cotangentWeights(const Mesh& welded);

// The same with every weight within 1e-3 .. 10, so that thin triangles neither disconnect the surface nor make it
// stiff.
std::vector<EdgeWeight> clampedCotangentWeights(const Mesh& welded);

struct VertexMeasure {
  double area = 0; // a third of the area of the triangles around the vertex
  Vec3d normal;    // area-weighted, unit length; zero where undefined
};
std::vector<VertexMeasure> measureVertices(const Mesh& welded);

// A connected part of a mesh.
struct Part {
  std::uint32_t vertex_count = 0, triangle_count = 0;
  std::uint32_t edge_count = 0, open_edge_count = 0;
  double signed_volume = 0; // about the center of the box; positive if the triangles face outwards
  double area = 0;
  Box box;

  // At most one edge in 20 is open.
  bool nearlyClosed() const { return edge_count > 0 && open_edge_count * 20 <= edge_count; }
};
std::vector<Part> measureParts(const Mesh& welded, const Islands& islands);

} // namespace skincells::mesh

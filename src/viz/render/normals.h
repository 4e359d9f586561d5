// Normals that make a mesh look smooth, except across sharp edges.
#pragma once

#include <span>
#include <vector>

#include "skincells/mesh.h"

namespace skincells::render {

// Keeps what depends on the mesh alone, for many poses of it.
class SmoothNormals {
public:
  explicit SmoothNormals(const Mesh& mesh);

  // Three unit normals per triangle, one a corner: the mean over the triangles at that position that bend away by
  // at most `crease_angle` degrees. Zero for triangles without area.
  std::vector<Vec3f> corners(std::span<const Vec3f> posed_positions, double crease_angle) const;

private:
  std::span<const std::uint32_t> trianglesAt(std::uint32_t welded) const;

  std::span<const Triangle> triangles_;
  std::vector<std::uint32_t> welded_of_vertex_; // seams do not show
  std::vector<std::uint32_t> first_, incident_; // triangles by welded vertex
};

} // namespace skincells::render

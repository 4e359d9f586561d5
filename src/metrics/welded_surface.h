// What the measures of a skin share: the surface without seams, which does not change from pose to pose.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/edges.h"
#include "skincells/mesh.h"

namespace skincells::metrics {

// A mesh welded by position. A welded vertex moves with its first vertex.
class WeldedSurface {
public:
  explicit WeldedSurface(const Mesh& mesh);

  std::uint32_t vertexOf(std::uint32_t welded) const { return weld.first_vertex[welded]; }
  std::span<const std::uint32_t> neighbors(std::uint32_t welded) const {
    return std::span(neighbors_).subspan(first_[welded], first_[welded + 1] - first_[welded]);
  }
  // The lengths of the edges to them.
  std::span<const double> lengths(std::uint32_t welded) const {
    return std::span(lengths_).subspan(first_[welded], first_[welded + 1] - first_[welded]);
  }
  double distance(std::uint32_t a, std::uint32_t b) const;
  // The positions of the welded vertices, from those of all vertices.
  void gather(std::span<const Vec3f> posed, std::span<Vec3f> welded_posed) const;

  Weld weld;
  Mesh mesh;  // welded
  Box bounds; // of the mesh as given
  std::vector<mesh::Edge> edges;
  std::vector<double> area; // by vertex
  Islands islands;

private:
  // Of vertex w: from first_[w] to first_[w + 1].
  std::vector<std::uint32_t> first_, neighbors_;
  std::vector<double> lengths_;
};

} // namespace skincells::metrics

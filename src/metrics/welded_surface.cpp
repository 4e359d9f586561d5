#include "metrics/welded_surface.h"

#include "mesh/surface_measure.h"

namespace skincells::metrics {

WeldedSurface::WeldedSurface(const Mesh& source)
    : weld(weldByPosition(source.positions, weldTolerance(source))), mesh(weldedMesh(source, weld)),
      bounds(source.bounds()), edges(mesh::findEdges(mesh.triangles)), islands(findIslands(mesh)),
      first_(mesh.positions.size() + 1, 0), neighbors_(2 * edges.size()), lengths_(neighbors_.size()) {
  area.reserve(mesh.positions.size());
  for (const mesh::VertexMeasure& m : mesh::measureVertices(mesh)) area.push_back(m.area);
  for (const mesh::Edge& e : edges) {
    ++first_[e.a + 1];
    ++first_[e.b + 1];
  }
  for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
  std::vector<std::uint32_t> end(first_.begin(), first_.end() - 1);
  for (const mesh::Edge& e : edges) {
    lengths_[end[e.a]] = lengths_[end[e.b]] = distance(e.a, e.b);
    neighbors_[end[e.a]++] = e.b;
    neighbors_[end[e.b]++] = e.a;
  }
}

double WeldedSurface::distance(std::uint32_t a, std::uint32_t b) const {
  return length(toDouble(mesh.positions[a]) - toDouble(mesh.positions[b]));
}

void WeldedSurface::gather(std::span<const Vec3f> posed, std::span<Vec3f> welded_posed) const {
  for (std::uint32_t w = 0; w < weld.weldedCount(); ++w) welded_posed[w] = posed[weld.first_vertex[w]];
}

} // namespace skincells::metrics

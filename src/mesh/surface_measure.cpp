#include "mesh/surface_measure.h"

#include <algorithm>
#include <cmath>

#include "mesh/edge_sort.h"
#include "mesh/edges.h"
#include "mesh/triangle.h"

namespace skincells::mesh {
namespace {

struct Corners {
  Vec3d p[3];
};

Corners cornersOf(const Mesh& mesh, const Triangle& t) {
  return {{toDouble(mesh.positions[t[0]]), toDouble(mesh.positions[t[1]]), toDouble(mesh.positions[t[2]])}};
}

Vec3d areaNormal(const Corners& c) {
  return mesh::areaNormal(c.p[0], c.p[1], c.p[2]);
}

} // namespace

std::vector<EdgeWeight> cotangentWeights(const Mesh& welded) {
  std::vector<EdgeWeight> parts;
  parts.reserve(welded.triangles.size() * 3);
  for (const Triangle& t : welded.triangles) {
    const Corners c = cornersOf(welded, t);
    const double twice_area = length(areaNormal(c));
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[(i + 1) % 3], b = t[(i + 2) % 3];
      const double cosine = dot(c.p[(i + 1) % 3] - c.p[i], c.p[(i + 2) % 3] - c.p[i]);
      parts.push_back({std::min(a, b), std::max(a, b), twice_area > 0 ? 0.5 * cosine / twice_area : 0});
    }
  }
  sortByVertices(parts);
  std::vector<EdgeWeight> edges;
  for (const EdgeWeight& part : parts) {
    if (!edges.empty() && edges.back().a == part.a && edges.back().b == part.b)
      edges.back().weight += part.weight;
    else
      edges.push_back(part);
  }
  return edges;
}

std::vector<EdgeWeight> clampedCotangentWeights(const Mesh& welded) {
  constexpr double kSmallestWeight = 1e-3, kLargestWeight = 10;
  std::vector<EdgeWeight> edges = cotangentWeights(welded);
  for (EdgeWeight& e : edges) e.weight = std::clamp(e.weight, kSmallestWeight, kLargestWeight);
  return edges;
}

std::vector<VertexMeasure> measureVertices(const Mesh& welded) {
  std::vector<VertexMeasure> vertices(welded.positions.size());
  for (const Triangle& t : welded.triangles) {
    const Vec3d twice_area = areaNormal(cornersOf(welded, t));
    for (std::uint32_t v : t) {
      vertices[v].area += length(twice_area) / 6;
      vertices[v].normal += twice_area;
    }
  }
  for (VertexMeasure& v : vertices) v.normal = normalized(v.normal);
  return vertices;
}

std::vector<Part> measureParts(const Mesh& welded, const Islands& islands) {
  std::vector<Part> parts(islands.count);
  for (std::size_t v = 0; v < welded.positions.size(); ++v) {
    Part& part = parts[islands.island_of_vertex[v]];
    ++part.vertex_count;
    part.box.add(toDouble(welded.positions[v]));
  }
  for (const Triangle& t : welded.triangles) {
    Part& part = parts[islands.island_of_vertex[t[0]]];
    const Corners c = cornersOf(welded, t);
    const Vec3d twice_area = areaNormal(c);
    ++part.triangle_count;
    part.area += length(twice_area) / 2;
    part.signed_volume += dot(c.p[0] - part.box.center(), twice_area) / 6;
  }
  for (const Edge& e : findEdges(welded.triangles)) {
    Part& part = parts[islands.island_of_vertex[e.a]];
    ++part.edge_count;
    part.open_edge_count += e.triangle_count == 1;
  }
  return parts;
}

} // namespace skincells::mesh

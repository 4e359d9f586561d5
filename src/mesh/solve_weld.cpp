#include "mesh/solve_weld.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "mesh/edges.h"

namespace skincells::mesh {
namespace {

constexpr double kSamePlace = 1e-6; // of the size, as in weldTolerance
constexpr double kGap = 3e-5;       // of the size: a border this near to another coincides with it
constexpr double kShortestEdge = 4; // gaps: with longer edges, no two corners of a triangle can be joined

// All vertices, sorted by position: along an oblique direction, in which hardly any two are so close that rounding
// could swap them, as it would along an axis of a character with flat faces.
std::vector<std::uint32_t> byPosition(std::span<const Vec3f> positions) {
  constexpr Vec3d kOblique{0.7548776662, 0.5698402910, 0.3247179572};
  struct Place {
    double along = 0;
    Vec3f position;
    std::uint32_t vertex = 0;
    auto key() const { return std::tuple(along, position.x, position.y, position.z, vertex); }
  };
  std::vector<Place> places;
  places.reserve(positions.size());
  for (const Vec3f& p : positions)
    places.push_back({dot(toDouble(p), kOblique), p, static_cast<std::uint32_t>(places.size())});
  std::ranges::sort(places, {}, &Place::key);
  std::vector<std::uint32_t> order;
  order.reserve(places.size());
  for (const Place& p : places) order.push_back(p.vertex);
  return order;
}

Weld weldSorted(std::span<const Vec3f> positions, double tolerance) {
  const std::vector<std::uint32_t> order = byPosition(positions);
  std::vector<Vec3f> sorted;
  sorted.reserve(order.size());
  for (std::uint32_t v : order) sorted.push_back(positions[v]);
  Weld weld = weldByPosition(sorted, tolerance);
  std::vector<std::uint32_t> welded_of_vertex(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) welded_of_vertex[order[i]] = weld.welded_of_vertex[i];
  weld.welded_of_vertex = std::move(welded_of_vertex);
  for (std::uint32_t& v : weld.first_vertex) v = order[v];
  return weld;
}

// The vertices of open edges around which no edge is so short that joining could change the surface.
std::vector<std::uint32_t> joinableBorder(const Mesh& welded, double gap) {
  std::vector<char> open(welded.positions.size()), fine(welded.positions.size());
  for (const Edge& e : findEdges(welded.triangles)) {
    const double size = length(toDouble(welded.positions[e.a]) - toDouble(welded.positions[e.b]));
    for (std::uint32_t v : {e.a, e.b}) {
      open[v] |= e.triangle_count == 1;
      fine[v] |= size <= kShortestEdge * gap;
    }
  }
  std::vector<std::uint32_t> border;
  for (std::uint32_t v = 0; v < welded.vertexCount(); ++v)
    if (open[v] && !fine[v]) border.push_back(v);
  return border;
}

// target[w] <= w: the welded vertex that w becomes one with.
Weld joined(const Weld& weld, const std::vector<std::uint32_t>& target) {
  Weld out;
  std::vector<std::uint32_t> number(target.size());
  for (std::uint32_t w = 0; w < target.size(); ++w) {
    if (target[w] == w) {
      number[w] = out.weldedCount();
      out.first_vertex.push_back(weld.first_vertex[w]);
    } else {
      number[w] = number[target[w]];
    }
  }
  for (std::uint32_t w : weld.welded_of_vertex) out.welded_of_vertex.push_back(number[w]);
  return out;
}

} // namespace

Weld weldForSolve(const Mesh& mesh) {
  return weldForSolve(mesh, trimmedBounds(mesh).diagonal());
}

Weld weldForSolve(const Mesh& mesh, double size) {
  Weld weld = weldSorted(mesh.positions, kSamePlace * size);
  const Mesh welded = weldedMesh(mesh, weld);
  const std::vector<std::uint32_t> border = joinableBorder(welded, kGap * size);
  std::vector<Vec3f> positions;
  for (std::uint32_t v : border) positions.push_back(welded.positions[v]);
  const Weld gaps = weldByPosition(positions, kGap * size);
  if (gaps.weldedCount() == border.size()) return weld;
  std::vector<std::uint32_t> target(welded.positions.size());
  for (std::uint32_t w = 0; w < target.size(); ++w) target[w] = w;
  for (std::size_t b = 0; b < border.size(); ++b)
    target[border[b]] = border[gaps.first_vertex[gaps.welded_of_vertex[b]]];
  return joined(weld, target);
}

Mesh solveMesh(const Mesh& mesh, const Weld& weld) {
  Mesh out = weldedMesh(mesh, weld);
  for (Triangle& t : out.triangles) std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  std::ranges::sort(out.triangles);
  out.triangles.erase(std::unique(out.triangles.begin(), out.triangles.end()), out.triangles.end());
  for (MeshSection& s : out.sections) s.triangle_count = static_cast<std::uint32_t>(out.triangles.size());
  return out;
}

} // namespace skincells::mesh

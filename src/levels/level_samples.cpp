#include "levels/level_samples.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/assert.h"
#include "base/parallel.h"
#include "mesh/closest_on_triangle.h"
#include "mesh/corner_list.h"
#include "mesh/surface_measure.h"
#include "mesh/surface_points.h"

namespace skincells::levels {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr int kMostWalkSteps = 64;       // a walk also ends if no neighbor is nearer
constexpr double kSmallestWeight = 1e-3; // relative to the mean, so that vertices without area count

class Walker {
public:
  explicit Walker(const LevelShape& shape)
      : shape_(shape), around_(shape.triangles, shape.vertices.size()),
        level_vertex_of_(shape.original->positions.size(), kNone) {
    for (std::uint32_t l = 0; l < shape.vertices.size(); ++l)
      if (!around_[l].empty()) level_vertex_of_[shape.vertices[l]] = l;
  }

  // Whether triangles of the level use this vertex of level 0.
  bool has(std::uint32_t vertex) const { return level_vertex_of_[vertex] != kNone; }
  bool canPlace(std::uint32_t vertex) const { return has(vertex) || has(shape_.survivor[vertex]); }

  // Walks over the level to the closest point, starting at the vertex onto which `vertex` collapsed.
  LevelSample place(std::uint32_t vertex) const {
    const Vec3d p = toDouble(shape_.original->positions[vertex]);
    Place best;
    searchAround(p, level_vertex_of_[has(vertex) ? vertex : shape_.survivor[vertex]], best);
    for (int step = 0; step < kMostWalkSteps && best.squared > 0; ++step) {
      const std::uint32_t from = best.triangle;
      for (const std::uint32_t corner : shape_.triangles[from]) searchAround(p, corner, best);
      if (best.triangle == from) break;
    }
    const auto c = corners(best.triangle);
    return {vertex, best.triangle, mesh::cornerShares(best.point, c[0], c[1], c[2])};
  }

private:
  struct Place {
    std::uint32_t triangle = 0;
    double squared = std::numeric_limits<double>::infinity();
    Vec3d point;
  };

  std::array<Vec3d, 3> corners(std::uint32_t t) const {
    const Triangle& c = shape_.triangles[t];
    return {shape_.position(c[0]), shape_.position(c[1]), shape_.position(c[2])};
  }

  void searchAround(const Vec3d& p, std::uint32_t level_vertex, Place& best) const {
    for (const mesh::CornerList::Corner& corner : around_[level_vertex]) {
      const auto c = corners(corner.triangle);
      const Vec3d q = mesh::closestOnTriangle(p, c[0], c[1], c[2]);
      if (const double squared = dot(q - p, q - p); squared < best.squared) best = {corner.triangle, squared, q};
    }
  }

  const LevelShape& shape_;
  mesh::CornerList around_;
  std::vector<std::uint32_t> level_vertex_of_; // by vertex of level 0
};

// Areas scaled to sum to 1, none of them nearly zero.
std::vector<double> shares(std::vector<double> areas) {
  const double sum = std::accumulate(areas.begin(), areas.end(), 0.0);
  const double least =
      kSmallestWeight * (sum > 0 ? sum : 1) / static_cast<double>(std::max<std::size_t>(areas.size(), 1));
  for (double& area : areas) area = std::max(area, least);
  const double raised = std::accumulate(areas.begin(), areas.end(), 0.0);
  for (double& area : areas) area /= raised;
  return areas;
}

// The share of level 0's surface that each sample represents.
std::vector<double> sharesOfOriginal(const LevelShape& shape, std::span<const LevelSample> samples) {
  const auto measures = mesh::measureVertices(*shape.original);
  std::vector<double> areas;
  for (const LevelSample& s : samples) areas.push_back(measures[s.vertex].area);
  return shares(std::move(areas));
}

std::vector<double> sharesOfLevel(const LevelShape& shape) {
  std::vector<double> areas;
  for (const mesh::VertexMeasure& m : mesh::measureVertices(shape.mesh())) areas.push_back(m.area);
  return shares(std::move(areas));
}

} // namespace

Mesh LevelShape::mesh() const {
  Mesh out;
  for (const std::uint32_t v : vertices) out.positions.push_back(original->positions[v]);
  out.triangles = triangles;
  return out;
}

std::vector<std::uint32_t> LevelShape::take(const Mesh& level) {
  std::vector<Vec3f> both = original->positions;
  both.insert(both.end(), level.positions.begin(), level.positions.end());
  const auto welded = weldByPosition(both, 0).welded_of_vertex;
  const auto own = std::span(welded).subspan(original->positions.size());
  vertices.assign(own.begin(), own.end());
  std::ranges::sort(vertices);
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  SKINCELLS_ASSERT(vertices.empty() || vertices.back() < original->positions.size());
  std::vector<std::uint32_t> place;
  for (const std::uint32_t v : own)
    place.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(vertices, v) - vertices.begin()));
  triangles.clear();
  for (const Triangle& t : level.triangles) triangles.push_back({place[t[0]], place[t[1]], place[t[2]]});
  return place;
}

std::vector<LevelSample> sampleLevel(const LevelShape& shape, std::size_t most) {
  const Walker walker(shape);
  const std::size_t vertex_count = shape.original->positions.size();
  const std::size_t stride = std::max<std::size_t>((vertex_count + most - 1) / most, 1);
  std::vector<LevelSample> out;
  for (std::uint32_t v = 0; v < vertex_count; ++v)
    if (walker.has(v) || (v % stride == 0 && walker.canPlace(v))) out.push_back({v});
  parallelChunks(out.size(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) out[i] = walker.place(out[i].vertex);
  });
  const auto of_original = sharesOfOriginal(shape, out), of_level = sharesOfLevel(shape);
  std::size_t l = 0; // both lists are ascending
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].weight = of_original[i];
    while (l < shape.vertices.size() && shape.vertices[l] < out[i].vertex) ++l;
    if (l < shape.vertices.size() && shape.vertices[l] == out[i].vertex) out[i].weight += of_level[l];
  }
  return out;
}

} // namespace skincells::levels

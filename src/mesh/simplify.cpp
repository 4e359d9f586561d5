#include "mesh/simplify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

namespace skincells::mesh {
namespace {

using Cell = std::array<std::int64_t, 3>;

Cell cellOf(const Vec3d& p, double side) {
  return {static_cast<std::int64_t>(std::floor(p.x / side)), static_cast<std::int64_t>(std::floor(p.y / side)),
          static_cast<std::int64_t>(std::floor(p.z / side))};
}

// Sets of vertices; the lowest member stands for its set.
class Sets {
public:
  explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::uint32_t find(std::uint32_t v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a), b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

private:
  std::vector<std::uint32_t> parent_;
};

std::vector<Triangle> mapTriangles(const std::vector<Triangle>& triangles, const std::vector<std::uint32_t>& target) {
  std::vector<Triangle> mapped;
  std::set<Triangle> seen;
  for (const Triangle& t : triangles) {
    const Triangle m{target[t[0]], target[t[1]], target[t[2]]};
    if (m[0] == m[1] || m[1] == m[2] || m[2] == m[0]) continue;
    Triangle sorted = m;
    std::ranges::sort(sorted);
    if (seen.insert(sorted).second) mapped.push_back(m);
  }
  return mapped;
}

} // namespace

Clustered clusterVertices(const Mesh& welded, double cell) {
  const std::size_t count = welded.positions.size();
  const Vec3d corner = welded.bounds().empty() ? Vec3d{} : welded.bounds().lo;
  std::vector<Cell> cells(count);
  Sets sets(count);
  if (cell > 0) {
    for (std::size_t v = 0; v < count; ++v) cells[v] = cellOf(toDouble(welded.positions[v]) - corner, cell);
    for (const Triangle& t : welded.triangles)
      for (std::size_t c = 0; c < 3; ++c) {
        const std::uint32_t a = t[c], b = t[(c + 1) % 3];
        if (cells[a] == cells[b]) sets.join(a, b);
      }
  }
  Clustered result;
  result.cluster_of_vertex.resize(count);
  std::vector<Vec3d> sums;
  std::vector<double> members;
  for (std::uint32_t v = 0; v < count; ++v) {
    const std::uint32_t first = sets.find(v);
    if (first == v) {
      result.cluster_of_vertex[v] = static_cast<std::uint32_t>(sums.size());
      sums.emplace_back();
      members.push_back(0);
    }
    const std::uint32_t c = result.cluster_of_vertex[v] = result.cluster_of_vertex[first];
    sums[c] += toDouble(welded.positions[v]);
    members[c] += 1;
  }
  result.mesh.positions.reserve(sums.size());
  for (std::size_t c = 0; c < sums.size(); ++c) result.mesh.positions.push_back(toFloat(sums[c] * (1 / members[c])));
  result.mesh.triangles = mapTriangles(welded.triangles, result.cluster_of_vertex);
  return result;
}

} // namespace skincells::mesh

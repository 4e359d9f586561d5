#include "mesh/smoothed_normals.h"

#include <algorithm>
#include <cmath>

#include <Eigen/SparseCholesky>

#include "base/assert.h"
#include "mesh/surface_measure.h"
#include "mesh/triangle.h"

namespace skincells::mesh {
namespace {

// A part of which the holes take this share of its area has an outside entirely, or not at all.
constexpr double kClosedHoles = 0.05, kOpenHoles = 0.3;
// The same for its mean thickness, twice the volume over the area, in sizes.
constexpr double kThickFrom = 0.004, kThinBelow = 0.001;
// The diffused normal of a part becomes short where it is thinner than the reach. Below this, it has no direction.
constexpr double kShortest = 0.005;

// 1 at `full`, 0 at `none`, linear between them.
double ramp(double x, double none, double full) {
  return std::clamp((x - none) / (full - none), 0.0, 1.0);
}

// How much of an outside a part has: 0 .. 1, negative if it is inside out. `area`: the sum of its area vectors, which
// is 0 if it is closed and otherwise that of its holes.
double outsideOf(const Part& part, const Vec3d& area, double size) {
  if (!(part.area > 0) || !(size > 0)) return 0;
  const double closed = ramp(length(area) / part.area, kOpenHoles, kClosedHoles);
  const double thick = ramp(2 * std::abs(part.signed_volume) / part.area / size, kThinBelow, kThickFrom);
  return std::copysign(closed * thick, part.signed_volume);
}

struct VertexAreas {
  std::vector<double> area;
  Eigen::MatrixXd vector; // by vertex, facing outwards, scaled by how much of an outside its part has
  std::vector<double> outside;
};

VertexAreas measureAreas(const Mesh& welded, double size) {
  const std::size_t count = welded.positions.size();
  const Islands islands = findIslands(welded);
  const std::vector<Part> parts = measureParts(welded, islands);
  std::vector<Vec3d> of_part(parts.size());
  for (const Triangle& t : welded.triangles)
    of_part[islands.island_of_vertex[t[0]]] += areaNormal(welded.positions, t) * 0.5;
  VertexAreas out{std::vector<double>(count), Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(count), 3),
                  std::vector<double>(count)};
  for (std::size_t v = 0; v < count; ++v) {
    const std::size_t part = islands.island_of_vertex[v];
    out.outside[v] = outsideOf(parts[part], of_part[part], size);
  }
  for (const Triangle& t : welded.triangles) {
    const Vec3d twice_area = areaNormal(welded.positions, t);
    for (std::uint32_t v : t) {
      out.area[v] += length(twice_area) / 6;
      const double scale = std::copysign(1.0 / 6, out.outside[v]);
      out.vector.row(v) += scale * Eigen::RowVector3d(twice_area.x, twice_area.y, twice_area.z);
    }
  }
  return out;
}

// area + reach^2 L, with the cotangent Laplacian L; vertices without area keep what they have.
Eigen::SparseMatrix<double> heatStep(const Mesh& welded, std::span<const double> area, double reach) {
  std::vector<double> diagonal(area.begin(), area.end());
  std::vector<Eigen::Triplet<double>> entries;
  for (const EdgeWeight& e : clampedCotangentWeights(welded)) {
    const double flow = reach * reach * e.weight;
    diagonal[e.a] += flow;
    diagonal[e.b] += flow;
    entries.emplace_back(static_cast<int>(e.b), static_cast<int>(e.a), -flow); // the lower triangle
  }
  for (std::size_t v = 0; v < diagonal.size(); ++v)
    entries.emplace_back(static_cast<int>(v), static_cast<int>(v), area[v] > 0 ? diagonal[v] : diagonal[v] + 1);
  const auto count = static_cast<Eigen::Index>(area.size());
  Eigen::SparseMatrix<double> matrix(count, count);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

} // namespace

std::vector<Vec3f> smoothedNormals(const Mesh& welded, double size) {
  std::vector<Vec3f> normals(welded.positions.size());
  if (welded.triangles.empty()) return normals;
  const VertexAreas areas = measureAreas(welded, size);
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(heatStep(welded, areas.area, kNormalReach * size));
  SKINCELLS_ASSERT(factor.info() == Eigen::Success);
  const Eigen::MatrixXd diffused = factor.solve(areas.vector);
  for (std::size_t v = 0; v < normals.size(); ++v) {
    const auto row = static_cast<Eigen::Index>(v);
    const Vec3d mean{diffused(row, 0), diffused(row, 1), diffused(row, 2)};
    const double scale = std::abs(areas.outside[v]) / (length(mean) + kShortest);
    if (isFinite(mean)) normals[v] = toFloat(mean * scale);
  }
  return normals;
}

} // namespace skincells::mesh

#include "mesh/smoothed_normals.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <Eigen/SparseCholesky>

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

// What a connected part encloses.
struct Enclosure {
  Box box;
  Vec3d vector; // the sum of its area vectors: 0 if it is closed, otherwise that of its holes
  double area = 0;
  double volume = 0; // about the center of the box; positive if the triangles face outwards

  // How much of an outside the part has: 0 .. 1, negative if it is inside out.
  double outside(double size) const {
    if (!(area > 0) || !(size > 0)) return 0;
    const double closed = ramp(length(vector) / area, kOpenHoles, kClosedHoles);
    const double thick = ramp(2 * std::abs(volume) / area / size, kThinBelow, kThickFrom);
    return std::copysign(closed * thick, volume);
  }
};

// How much of an outside each vertex' part has.
std::vector<double> outsides(const Mesh& welded, double size) {
  const Islands islands = findIslands(welded);
  std::vector<Enclosure> parts(islands.count);
  for (std::size_t v = 0; v < welded.positions.size(); ++v)
    parts[islands.island_of_vertex[v]].box.add(toDouble(welded.positions[v]));
  for (const Triangle& t : welded.triangles) {
    Enclosure& part = parts[islands.island_of_vertex[t[0]]];
    const Vec3d vector = areaNormal(welded.positions, t) * 0.5;
    part.vector += vector;
    part.area += length(vector);
    part.volume += dot(toDouble(welded.positions[t[0]]) - part.box.center(), vector) / 3;
  }
  std::vector<double> out;
  for (std::uint32_t part : islands.island_of_vertex) out.push_back(parts[part].outside(size));
  return out;
}

using Matrix = Eigen::SparseMatrix<double>;
using Rows = Eigen::MatrixX3d; // one vector per vertex

// The area vectors of the vertices, facing outwards, after a step of heat: m in (area + reach^2 L) m = vectors, with
// the cotangent Laplacian L.
Rows diffusedVectors(const Mesh& welded, std::span<const double> outside, double reach) {
  const auto count = static_cast<Eigen::Index>(welded.positions.size());
  Rows vectors = Rows::Zero(count, 3);
  std::vector<double> diagonal(welded.positions.size());
  for (const Triangle& t : welded.triangles) {
    const Vec3d third = areaNormal(welded.positions, t) * (1.0 / 6);
    for (std::uint32_t v : t) {
      diagonal[v] += length(third);
      vectors.row(v) += std::copysign(1.0, outside[v]) * Eigen::RowVector3d(third.x, third.y, third.z);
    }
  }
  for (double& area : diagonal)
    if (!(area > 0)) area = 1; // vertices without area have no vector
  std::vector<Eigen::Triplet<double>> entries;
  for (const EdgeWeight& e : clampedCotangentWeights(welded)) {
    const double flow = reach * reach * e.weight;
    diagonal[e.a] += flow;
    diagonal[e.b] += flow;
    entries.emplace_back(static_cast<int>(e.b), static_cast<int>(e.a), -flow); // the lower triangle
  }
  for (std::size_t v = 0; v < diagonal.size(); ++v)
    entries.emplace_back(static_cast<int>(v), static_cast<int>(v), diagonal[v]);
  Matrix matrix(count, count);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Matrix> factor(matrix);
  // Areas that no number can hold have no normals.
  if (factor.info() != Eigen::Success) return Rows::Zero(count, 3);
  return factor.solve(vectors);
}

} // namespace

std::vector<Vec3f> smoothedNormals(const Mesh& welded, double size) {
  std::vector<Vec3f> normals(welded.positions.size());
  if (welded.triangles.empty()) return normals;
  const std::vector<double> outside = outsides(welded, size);
  const Rows diffused = diffusedVectors(welded, outside, kNormalReach * size);
  for (std::size_t v = 0; v < normals.size(); ++v) {
    const auto row = diffused.row(static_cast<Eigen::Index>(v));
    const Vec3d mean{row[0], row[1], row[2]};
    if (isFinite(mean)) normals[v] = toFloat(mean * (std::abs(outside[v]) / (length(mean) + kShortest)));
  }
  return normals;
}

} // namespace skincells::mesh

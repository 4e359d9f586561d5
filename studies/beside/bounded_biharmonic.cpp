#include "studies/beside/bounded_biharmonic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>

#include "base/parallel.h"
#include "base/try.h"
#include "mesh/decimate.h"
#include "mesh/point_tree.h"
#include "mesh/ray_query.h"
#include "mesh/solve_space.h"
#include "studies/beside/tetrahedra.h"
#include "weights/interpolate.h"
#include "weights/rows_edit.h"

namespace skincells::studies {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

Eigen::Vector3d eigen(const Vec3d& v) {
  return {v.x, v.y, v.z};
}

// The Laplacian energy |M^-1/2 L w|^2 of linear tetrahedra, and the masses of the corners.
struct Energy {
  Sparse matrix;
  Vector mass;

  explicit Energy(const TetMesh& mesh) {
    const auto count = static_cast<Eigen::Index>(mesh.positions.size());
    mass = Vector::Zero(count);
    std::vector<Eigen::Triplet<double>> entries;
    for (const auto& t : mesh.tetrahedra) {
      Eigen::Matrix3d edges;
      for (int k = 0; k < 3; ++k)
        edges.col(k) = eigen(mesh.positions[t[static_cast<std::size_t>(k) + 1]] - mesh.positions[t[0]]);
      const double volume = std::abs(edges.determinant()) / 6;
      if (!(volume > 0)) continue;
      Eigen::Matrix<double, 3, 4> gradients; // of the hat function of each corner
      gradients.rightCols<3>() = edges.inverse().transpose();
      gradients.col(0) = -gradients.rightCols<3>().rowwise().sum();
      const Eigen::Matrix4d stiffness = gradients.transpose() * gradients * volume;
      for (int a = 0; a < 4; ++a) {
        mass[t[static_cast<std::size_t>(a)]] += volume / 4;
        for (int b = 0; b < 4; ++b)
          if (std::isfinite(stiffness(a, b)))
            entries.emplace_back(static_cast<int>(t[static_cast<std::size_t>(a)]),
                                 static_cast<int>(t[static_cast<std::size_t>(b)]), stiffness(a, b));
      }
    }
    const double least = 1e-6 * mass.mean();
    mass = mass.cwiseMax(least); // corners of no tetrahedron
    Sparse laplacian(count, count);
    laplacian.setFromTriplets(entries.begin(), entries.end());
    matrix = laplacian.transpose() * mass.cwiseInverse().asDiagonal() * laplacian;
  }
};

// Minimizes w^T Q w with 0 <= w <= 1 and some values given.
class BoxProgram {
public:
  // given: by corner, whether its value is.
  BoxProgram(const Energy& energy, const std::vector<char>& given) : place_(given.size(), -1) {
    std::vector<Eigen::Triplet<double>> inner, border;
    for (std::size_t v = 0; v < given.size(); ++v)
      if (given[v] == 0) place_[v] = free_count_++;
    mass_ = Vector(free_count_);
    for (std::size_t v = 0; v < given.size(); ++v)
      if (place_[v] >= 0) mass_[place_[v]] = energy.mass[static_cast<Eigen::Index>(v)];
    for (Eigen::Index c = 0; c < energy.matrix.outerSize(); ++c)
      for (Sparse::InnerIterator it(energy.matrix, c); it; ++it) {
        const int row = place_[static_cast<std::size_t>(it.row())], column = place_[static_cast<std::size_t>(c)];
        if (row < 0) continue;
        if (column >= 0)
          inner.emplace_back(row, column, it.value());
        else
          border.emplace_back(row, static_cast<int>(c), it.value());
      }
    inner_ = Sparse(free_count_, free_count_);
    inner_.setFromTriplets(inner.begin(), inner.end());
    border_ = Sparse(free_count_, static_cast<Eigen::Index>(given.size()));
    border_.setFromTriplets(border.begin(), border.end());
    // A penalty in the middle of the spectrum, per mass: smooth changes over a tenth of the character.
    penalty_ = mass_ * 1e4;
    Sparse system = inner_;
    for (int i = 0; i < free_count_; ++i) system.coeffRef(i, i) += penalty_[i];
    factor_.compute(system);
  }

  bool good() const { return factor_.info() == Eigen::Success; }

  // values: those given; the others are set.
  void solve(int iterations, Vector& values) const {
    constexpr double kRelaxed = 1.6;
    const Vector from_border = border_ * values;
    Vector w = Vector::Zero(free_count_), z = w, u = w;
    for (int i = 0; i < iterations; ++i) {
      w = factor_.solve(penalty_.cwiseProduct(z - u) - from_border);
      const Vector mixed = kRelaxed * w + (1 - kRelaxed) * z;
      z = (mixed + u).cwiseMax(0.0).cwiseMin(1.0);
      u += mixed - z;
    }
    for (std::size_t v = 0; v < place_.size(); ++v)
      if (place_[v] >= 0) values[static_cast<Eigen::Index>(v)] = z[place_[v]];
  }

private:
  std::vector<int> place_; // among the free corners; -1: given
  int free_count_ = 0;
  Vector mass_, penalty_;
  Sparse inner_, border_;
  Eigen::SimplicialLLT<Sparse> factor_;
};

// Points on the bones, and the joints that they belong to.
struct Handles {
  std::vector<Vec3d> points;
  std::vector<int> joints;
};
Handles handlesOn(std::span<const rig::BoneSegment> bones, double spacing) {
  Handles out;
  for (const rig::BoneSegment& b : bones) {
    const int steps = 1 + static_cast<int>(length(b.b - b.a) / spacing);
    for (int i = 0; i < steps; ++i) { // the end belongs to the next joint
      const Vec3d p = b.a + (b.b - b.a) * ((i + 0.5) / steps);
      const auto near = [&](const Vec3d& q) { return length(p - q) < 1e-3 * spacing; };
      if (std::ranges::any_of(out.points, near)) continue;
      out.points.push_back(p);
      out.joints.push_back(b.joint);
    }
  }
  return out;
}

// The mesh with these triangles, and the vertices that they use.
Mesh withTriangles(const Mesh& welded, const std::vector<Triangle>& triangles) {
  Mesh out;
  std::vector<std::uint32_t> place(welded.positions.size(), ~0U);
  for (Triangle t : triangles) {
    for (std::uint32_t& v : t) {
      if (place[v] == ~0U) {
        place[v] = out.vertexCount();
        out.positions.push_back(welded.positions[v]);
      }
      v = place[v];
    }
    out.triangles.push_back(t);
  }
  return out;
}

// The connected part with most triangles.
Mesh largestPart(const Mesh& welded) {
  const Islands islands = findIslands(welded);
  std::vector<std::size_t> sizes(islands.count);
  for (const Triangle& t : welded.triangles) ++sizes[islands.island_of_vertex[t[0]]];
  const auto largest = static_cast<std::uint32_t>(std::ranges::max_element(sizes) - sizes.begin());
  std::vector<Triangle> triangles;
  for (const Triangle& t : welded.triangles)
    if (islands.island_of_vertex[t[0]] == largest) triangles.push_back(t);
  return withTriangles(welded, triangles);
}

// A mesh with at most about so many vertices.
Mesh simplified(const Mesh& welded, std::uint32_t most) {
  if (welded.vertexCount() <= most) return welded;
  const std::vector<std::vector<Vec3f>> shapes{welded.positions};
  mesh::Decimator decimator(welded, weldByPosition(welded.positions, 0), shapes);
  decimator.reduceTo(std::size_t{2} * most);
  return withTriangles(welded, decimator.result().triangles);
}

struct Inside {
  Mesh surface;
  TetMesh tets;
};
Result<Inside> insideOf(const Mesh& part, const mesh::SolveSpace& unit, const Handles& handles, std::uint32_t most) {
  Mesh surface = mesh::inSpace(simplified(part, most), unit);
  SKINCELLS_TRY(tets, tetrahedralize(surface, handles.points));
  return Inside{std::move(surface), std::move(tets)};
}

} // namespace

Result<SparseWeights> boundedBiharmonicWeights(const Mesh& welded, std::span<const rig::BoneSegment> bones,
                                               const BiharmonicOptions& options) {
  const mesh::SolveSpace unit = mesh::unitSpace(welded.bounds());
  std::vector<rig::BoneSegment> placed(bones.begin(), bones.end());
  for (rig::BoneSegment& b : placed) b = {b.joint, unit.toSpace(b.a), unit.toSpace(b.b)};
  const Handles handles = handlesOn(placed, 0.02);
  auto inside = insideOf(welded, unit, handles, options.most_vertices);
  if (!inside && !welded.triangles.empty())
    inside = insideOf(largestPart(welded), unit, handles, options.most_vertices);
  if (!inside) return std::move(inside).error();
  const Mesh& surface = inside->surface;
  const TetMesh& tets = inside->tets;
  std::vector<char> used(tets.positions.size(), 0), given = used;
  for (const auto& t : tets.tetrahedra)
    for (std::uint32_t v : t) used[v] = 1;
  std::vector<int> joint_of(tets.positions.size(), -1), joints;
  for (std::size_t h = 0; h < handles.points.size(); ++h) {
    const std::size_t v = surface.positions.size() + h;
    if (v >= used.size() || used[v] == 0) continue; // outside
    joint_of[v] = handles.joints[h];
    given[v] = 1;
    if (std::ranges::find(joints, handles.joints[h]) == joints.end()) joints.push_back(handles.joints[h]);
  }
  if (joints.empty()) return Error{ErrorCode::NoJoints, "no bone is inside the tetrahedra", ""};
  const BoxProgram program(Energy(tets), given);
  if (!program.good()) return Error{ErrorCode::InvalidFile, "the biharmonic system has no factorization", ""};
  std::vector<Vector> values(joints.size());
  parallelChunks(joints.size(), 1, [&](std::size_t j, std::size_t, std::size_t) {
    values[j] = Vector::Zero(static_cast<Eigen::Index>(tets.positions.size()));
    for (std::size_t v = 0; v < joint_of.size(); ++v)
      if (joint_of[v] == joints[j]) values[j][static_cast<Eigen::Index>(v)] = 1;
    program.solve(options.iterations, values[j]);
  });
  SparseWeights rows(surface.positions.size(), options.max_influences);
  for (std::size_t v = 0; v < surface.positions.size(); ++v)
    for (std::size_t j = 0; j < joints.size(); ++j)
      weights::keepLargest(joints[j], static_cast<float>(values[j][static_cast<Eigen::Index>(v)]), rows.jointRow(v),
                           rows.weightRow(v));
  canonicalize(rows, options.max_influences);
  const mesh::RayQuery places(surface);
  std::vector<mesh::RayQuery::Hit> hits;
  for (const Vec3f& p : welded.positions) hits.push_back(*places.closestPoint(unit.toSpace(toDouble(p))));
  SparseWeights out = weights::interpolateRows(surface, rows, hits, options.max_influences);
  canonicalize(out, options.max_influences);
  return out;
}

} // namespace skincells::studies

#include "transfer/inpaint.h"

#include <algorithm>

#include <Eigen/SparseCholesky>

#include "base/assert.h"
#include "base/parallel.h"
#include "mesh/solve_space.h"
#include "mesh/surface_measure.h"
#include "weights/rows_edit.h"

namespace skincells::transfer {
namespace {

using Matrix = Eigen::SparseMatrix<double>;

// L + L M^-1 L.
Matrix smoothnessEnergy(const Mesh& mesh) {
  constexpr double kSmallestArea = 1e-3; // relative to the mean; vertices of slivers have no area
  const auto count = static_cast<Eigen::Index>(mesh.positions.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (const mesh::EdgeWeight& e : mesh::clampedCotangentWeights(mesh)) {
    const int a = static_cast<int>(e.a), b = static_cast<int>(e.b);
    entries.emplace_back(a, a, e.weight);
    entries.emplace_back(b, b, e.weight);
    entries.emplace_back(a, b, -e.weight);
    entries.emplace_back(b, a, -e.weight);
  }
  Matrix laplacian(count, count);
  laplacian.setFromTriplets(entries.begin(), entries.end());
  const std::vector<mesh::VertexMeasure> vertices = mesh::measureVertices(mesh);
  double total_area = 0;
  for (const mesh::VertexMeasure& v : vertices) total_area += v.area;
  const double least = total_area > 0 ? kSmallestArea * total_area / static_cast<double>(count) : 1;
  Eigen::VectorXd inverse_area(count);
  for (Eigen::Index v = 0; v < count; ++v) inverse_area[v] = 1 / std::max(vertices[v].area, least);
  return laplacian + Matrix(laplacian * inverse_area.asDiagonal() * laplacian);
}

// Numbers the unknown vertices that are connected to a known one; -1 for all others.
std::vector<int> numberUnknown(const Islands& islands, std::span<const char> known, Inpainted& result) {
  std::vector<char> anchored(islands.count, 0);
  for (std::size_t v = 0; v < known.size(); ++v)
    if (known[v] != 0) anchored[islands.island_of_vertex[v]] = 1;
  std::vector<int> number(known.size(), -1);
  for (std::size_t v = 0; v < known.size(); ++v) {
    if (known[v] != 0) continue;
    if (anchored[islands.island_of_vertex[v]] != 0)
      number[v] = static_cast<int>(result.filled++);
    else
      result.unreachable.push_back(static_cast<std::uint32_t>(v));
  }
  return number;
}

// The rows of the system that belong to unknown vertices, split by columns.
struct Split {
  Matrix unknown;
  std::vector<Eigen::Triplet<double>> known; // row: number of an unknown vertex, column: a known vertex
};

Split splitSystem(const Matrix& energy, std::span<const int> number, std::span<const char> known, std::uint32_t size) {
  Split out{Matrix(static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size)), {}};
  std::vector<Eigen::Triplet<double>> entries;
  for (int column = 0; column < energy.outerSize(); ++column)
    for (Matrix::InnerIterator entry(energy, column); entry; ++entry) {
      const int row = number[entry.row()];
      if (row < 0) continue;
      if (const int other = number[column]; other >= 0)
        entries.emplace_back(row, other, entry.value());
      else if (known[column] != 0)
        out.known.emplace_back(row, column, entry.value());
    }
  out.unknown.setFromTriplets(entries.begin(), entries.end());
  return out;
}

double weightOf(const SparseWeights& rows, std::size_t v, std::uint16_t joint) {
  for (std::size_t k = 0; k < rows.weightRow(v).size(); ++k)
    if (rows.jointRow(v)[k] == joint && rows.weightRow(v)[k] > 0) return static_cast<double>(rows.weightRow(v)[k]);
  return 0;
}

// Joints with weight on a known vertex next to an unknown one. The weights of all other joints stay 0.
std::vector<std::uint16_t> jointsAround(const Split& system, const SparseWeights& rows) {
  std::vector<std::uint16_t> joints;
  for (const auto& entry : system.known) {
    const auto v = static_cast<std::size_t>(entry.col());
    for (std::size_t k = 0; k < rows.weightRow(v).size(); ++k)
      if (rows.weightRow(v)[k] > 0) joints.push_back(rows.jointRow(v)[k]);
  }
  std::ranges::sort(joints);
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  return joints;
}

// Rows of the unknown vertices, by number. Solves for a few joints at a time: solutions for all joints at once would
// need one column per joint, and each row keeps only a few of them.
SparseWeights solveRows(const Split& system, std::uint32_t count, const SparseWeights& rows) {
  constexpr std::size_t kJointsAtOnce = 8;
  const Eigen::SimplicialLDLT<Matrix> factor(system.unknown);
  SKINCELLS_ASSERT(factor.info() == Eigen::Success);
  const std::vector<std::uint16_t> joints = jointsAround(system, rows);
  SparseWeights out(count, rows.slots);
  std::vector<Eigen::VectorXd> columns(kJointsAtOnce);
  for (std::size_t first = 0; first < joints.size(); first += kJointsAtOnce) {
    const std::size_t group = std::min(kJointsAtOnce, joints.size() - first);
    parallelChunks(group, 1, [&](std::size_t j, std::size_t, std::size_t) {
      Eigen::VectorXd right = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(count));
      for (const auto& entry : system.known)
        right[entry.row()] -= entry.value() * weightOf(rows, static_cast<std::size_t>(entry.col()), joints[first + j]);
      columns[j] = factor.solve(right);
    });
    for (std::size_t u = 0; u < count; ++u)
      for (std::size_t j = 0; j < group; ++j)
        weights::keepLargest(joints[first + j], static_cast<float>(columns[j][static_cast<Eigen::Index>(u)]),
                             out.jointRow(u), out.weightRow(u));
  }
  canonicalize(out, rows.slots);
  return out;
}

} // namespace

Inpainted inpaintRows(const Mesh& welded, std::span<const char> known, SparseWeights& rows) {
  SKINCELLS_ASSERT(known.size() == welded.positions.size() && rows.vertexCount() == known.size());
  Inpainted result;
  const std::vector<int> number = numberUnknown(findIslands(welded), known, result);
  if (result.filled == 0) return result;
  const Mesh scaled = mesh::inSpace(welded, mesh::characterSpace(welded.bounds()));
  const Split system = splitSystem(smoothnessEnergy(scaled), number, known, result.filled);
  const SparseWeights filled = solveRows(system, result.filled, rows);
  for (std::size_t v = 0; v < number.size(); ++v)
    if (number[v] >= 0) weights::copyRow(filled, number[v], rows, v);
  return result;
}

} // namespace skincells::transfer

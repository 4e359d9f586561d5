#include "guess/heat_solve.h"

#include <algorithm>
#include <array>

#include <Eigen/SparseCholesky>

#include "base/assert.h"
#include "base/parallel.h"
#include "weights/rows_edit.h"

namespace skincells::guess {
namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Factor = Eigen::SimplicialLDLT<Matrix>;

// Right-hand sides are solved this many at a time, side by side in memory, so that the inner loops are vectors.
constexpr std::size_t kLanes = 8;
using Lanes = std::array<double, kLanes>;

Matrix systemMatrix(std::span<const mesh::EdgeWeight> edges, std::span<const double> holds) {
  const auto count = static_cast<Eigen::Index>(holds.size());
  std::vector<double> diagonal(holds.begin(), holds.end());
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(edges.size() + holds.size());
  for (const mesh::EdgeWeight& e : edges) {
    diagonal[e.a] += e.weight;
    diagonal[e.b] += e.weight;
    entries.emplace_back(static_cast<int>(e.b), static_cast<int>(e.a), -e.weight); // lower triangle: b > a
  }
  for (std::size_t v = 0; v < diagonal.size(); ++v)
    entries.emplace_back(static_cast<int>(v), static_cast<int>(v), diagonal[v]);
  Matrix matrix(count, count);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

// x := (L D L^T)^-1 x for kLanes right-hand sides, x in the factor's order.
void solveLanes(const Factor& factor, std::vector<Lanes>& x) {
  const Matrix& l = factor.matrixL().nestedExpression();
  const int* starts = l.outerIndexPtr();
  const int* rows = l.innerIndexPtr();
  const double* values = l.valuePtr();
  const int count = static_cast<int>(l.cols());
  for (int c = 0; c < count; ++c) {
    const Lanes pivot = x[static_cast<std::size_t>(c)];
    if (std::ranges::all_of(pivot, [](double p) { return p == 0; })) continue; // far from all sources of these joints
    for (int i = starts[c]; i < starts[c + 1]; ++i) {
      Lanes& target = x[static_cast<std::size_t>(rows[i])];
      for (std::size_t k = 0; k < kLanes; ++k) target[k] -= values[i] * pivot[k];
    }
  }
  const auto& d = factor.vectorD();
  for (int c = count - 1; c >= 0; --c) {
    Lanes& own = x[static_cast<std::size_t>(c)];
    Lanes sum;
    for (std::size_t k = 0; k < kLanes; ++k) sum[k] = own[k] / d[c];
    for (int i = starts[c]; i < starts[c + 1]; ++i) {
      const Lanes& other = x[static_cast<std::size_t>(rows[i])];
      for (std::size_t k = 0; k < kLanes; ++k) sum[k] -= values[i] * other[k];
    }
    own = sum;
  }
}

std::vector<int> usedJoints(const SparseWeights& rows) {
  std::vector<int> joints;
  for (std::size_t i = 0; i < rows.weights.size(); ++i)
    if (rows.weights[i] > 0) joints.push_back(rows.joints[i]);
  std::ranges::sort(joints);
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  return joints;
}

// What the vertices are held to.
struct Held {
  const SparseWeights& rows;
  std::span<const double> holds;
  std::vector<int> joints;
  std::vector<std::uint32_t> column; // by slot of `rows`: the index of its joint; joints.size() without weight

  Held(const SparseWeights& held_rows, std::span<const double> strengths)
      : rows(held_rows), holds(strengths), joints(usedJoints(held_rows)), column(held_rows.joints.size()) {
    for (std::size_t i = 0; i < column.size(); ++i) {
      const auto found = std::ranges::lower_bound(joints, int{rows.joints[i]});
      column[i] = static_cast<std::uint32_t>(rows.weights[i] > 0 ? found - joints.begin() : std::ssize(joints));
    }
  }
};

// The values of the kLanes joints of one block at every vertex.
std::vector<float> solveBlock(const Factor& factor, const Held& held, std::size_t block) {
  const auto& place = factor.permutationP().indices(); // vertex -> row of the factor
  const std::size_t count = held.holds.size(), first = block * kLanes;
  const std::size_t end = std::min(first + kLanes, held.joints.size()),
                    slots = static_cast<std::size_t>(held.rows.slots);
  std::vector<Lanes> x(count, Lanes{});
  for (std::size_t i = 0; i < held.column.size(); ++i)
    if (held.column[i] >= first && held.column[i] < end)
      x[static_cast<std::size_t>(place[static_cast<Eigen::Index>(i / slots)])][held.column[i] - first] =
          held.holds[i / slots] * static_cast<double>(held.rows.weights[i]);
  solveLanes(factor, x);
  std::vector<float> values(count * kLanes);
  for (std::size_t v = 0; v < count; ++v)
    for (std::size_t k = 0; k < kLanes; ++k)
      values[v * kLanes + k] = static_cast<float>(x[static_cast<std::size_t>(place[static_cast<Eigen::Index>(v)])][k]);
  return values;
}

void normalizeRow(std::span<float> row) {
  double sum = 0;
  for (float w : row) sum += w;
  if (sum > 0)
    for (float& w : row) w = static_cast<float>(w / sum);
}

} // namespace

struct HeatSolver::State {
  std::span<const mesh::EdgeWeight> edges;
  Factor factor;
  std::size_t analyzed = 0; // number of vertices

  void factorize(std::span<const double> holds) {
    const Matrix matrix = systemMatrix(edges, holds);
    if (analyzed != holds.size()) factor.analyzePattern(matrix);
    analyzed = holds.size();
    factor.factorize(matrix);
    SKINCELLS_ASSERT(factor.info() == Eigen::Success);
  }
};

HeatSolver::HeatSolver(std::span<const mesh::EdgeWeight> edges) : state_(std::make_unique<State>()) {
  state_->edges = edges;
}
HeatSolver::~HeatSolver() = default;

SparseWeights HeatSolver::solve(std::span<const HeatSource> sources, int slots) {
  SparseWeights rows(sources.size(), 1);
  std::vector<double> holds(sources.size());
  for (std::size_t v = 0; v < sources.size(); ++v) {
    holds[v] = sources[v].hold;
    if (sources[v].joint < 0) continue;
    rows.joints[v] = static_cast<std::uint16_t>(sources[v].joint);
    rows.weights[v] = 1;
  }
  return solve(rows, holds, slots);
}

SparseWeights HeatSolver::solve(const SparseWeights& rows, std::span<const double> holds, int slots) {
  const Held held(rows, holds);
  const std::vector<int>& joints = held.joints;
  SparseWeights weights(holds.size(), slots);
  if (joints.empty()) return weights;
  state_->factorize(holds);
  // The values of some joints at a time, vertex by vertex, before the largest are picked: all at once would take
  // gigabytes for large meshes with thousands of joints.
  constexpr std::size_t kBlocksAtATime = 32;
  const std::size_t block_count = (joints.size() + kLanes - 1) / kLanes;
  std::vector<std::vector<float>> values(std::min(block_count, kBlocksAtATime));
  for (std::size_t first = 0; first < block_count; first += kBlocksAtATime) {
    const std::size_t blocks = std::min(kBlocksAtATime, block_count - first);
    parallelChunks(blocks, 1, [&](std::size_t block, std::size_t, std::size_t) {
      values[block] = solveBlock(state_->factor, held, first + block);
    });
    const std::size_t begin_joint = first * kLanes, end_joint = std::min((first + blocks) * kLanes, joints.size());
    parallelChunks(holds.size(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t v = begin; v < end; ++v)
        for (std::size_t j = begin_joint; j < end_joint; ++j)
          weights::keepLargest(joints[j], values[j / kLanes - first][v * kLanes + j % kLanes], weights.jointRow(v),
                               weights.weightRow(v));
    });
  }
  for (std::size_t v = 0; v < holds.size(); ++v) normalizeRow(weights.weightRow(v));
  return weights;
}

SparseWeights solveHeat(std::span<const mesh::EdgeWeight> edges, std::span<const HeatSource> sources, int slots) {
  return HeatSolver(edges).solve(sources, slots);
}

SparseWeights solveHeat(std::span<const mesh::EdgeWeight> edges, const SparseWeights& rows,
                        std::span<const double> holds, int slots) {
  return HeatSolver(edges).solve(rows, holds, slots);
}

} // namespace skincells::guess

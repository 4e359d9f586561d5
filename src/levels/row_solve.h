// The best weight row for one vertex: a small least-squares problem with few, nonnegative weights.
#pragma once

#include <array>
#include <cstddef>

namespace skincells::levels {

inline constexpr std::size_t kMostCandidates = 8; // at least kMaxInfluences, so that any row can be a candidate

// cost(w) = w^T g w - 2 h^T w over the first `count` entries; g is symmetric and positive definite.
struct RowProblem {
  std::size_t count = 0;
  std::array<std::array<double, kMostCandidates>, kMostCandidates> g{};
  std::array<double, kMostCandidates> h{};

  double cost(const std::array<double, kMostCandidates>& w) const;
};

// Nonnegative weights with sum 1, at most `most` (> 0) nonzero entries and a low cost. A greedy search: removes the
// entry whose removal costs least, and entries that would become negative, and solves for the others again. The result
// need not be optimal, so callers compare its cost with that of a row they already have.
std::array<double, kMostCandidates> solveRow(const RowProblem& problem, std::size_t most);

} // namespace skincells::levels

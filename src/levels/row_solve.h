// The best row of weights for one vertex: a small least-squares problem with few, positive influences.
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

// Weights that are not negative, sum to 1 and have at most `most` (> 0) entries, at a low cost. Entries are given up
// one at a time, the one that is missed least first, and the others solved for again; entries that would turn negative
// go as well. That is a greedy search: callers who have a row already compare its cost.
std::array<double, kMostCandidates> solveRow(const RowProblem& problem, std::size_t most);

} // namespace skincells::levels

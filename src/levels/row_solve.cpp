#include "levels/row_solve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skincells::levels {
namespace {

using Row = std::array<double, kMostCandidates>;

// A subset of the entries of a problem, in order.
struct Choice {
  std::array<std::size_t, kMostCandidates> entries{};
  std::size_t count = 0;

  Choice without(std::size_t place) const {
    Choice out = *this;
    std::copy(entries.begin() + static_cast<std::ptrdiff_t>(place) + 1, entries.end(),
              out.entries.begin() + static_cast<std::ptrdiff_t>(place));
    --out.count;
    return out;
  }
};

// Cholesky factor of g restricted to a choice.
class Factor {
public:
  Factor(const RowProblem& problem, const Choice& chosen) : count_(chosen.count) {
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = problem.g[chosen.entries[i]][chosen.entries[j]];
        for (std::size_t k = 0; k < j; ++k) sum -= lower_[i][k] * lower_[j][k];
        lower_[i][j] = i == j ? std::sqrt(std::max(sum, std::numeric_limits<double>::min())) : sum / lower_[j][j];
      }
  }

  Row solve(Row x) const {
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::size_t k = 0; k < i; ++k) x[i] -= lower_[i][k] * x[k];
      x[i] /= lower_[i][i];
    }
    for (std::size_t i = count_; i-- > 0;) {
      for (std::size_t k = i + 1; k < count_; ++k) x[i] -= lower_[k][i] * x[k];
      x[i] /= lower_[i][i];
    }
    return x;
  }

private:
  std::size_t count_;
  std::array<Row, kMostCandidates> lower_{};
};

struct Solution {
  Choice chosen;
  Row weights{}; // by entry of the problem
  double cost = std::numeric_limits<double>::infinity();
};

// The minimum with sum 1 over the chosen entries: g w = h + m 1, with m such that the sum is 1.
Row solveWithSum(const RowProblem& problem, const Choice& chosen) {
  const Factor factor(problem, chosen);
  Row h{}, ones{};
  for (std::size_t i = 0; i < chosen.count; ++i) {
    h[i] = problem.h[chosen.entries[i]];
    ones[i] = 1;
  }
  Row w = factor.solve(h);
  const Row shift = factor.solve(ones);
  double sum = 0, shift_sum = 0;
  for (std::size_t i = 0; i < chosen.count; ++i) {
    sum += w[i];
    shift_sum += shift[i];
  }
  for (std::size_t i = 0; i < chosen.count; ++i) w[i] += (1 - sum) / shift_sum * shift[i];
  return w;
}

Solution solvePositive(const RowProblem& problem, Choice chosen) {
  while (true) {
    const Row w = solveWithSum(problem, chosen);
    const auto least = std::min_element(w.begin(), w.begin() + static_cast<std::ptrdiff_t>(chosen.count));
    if (*least < 0 && chosen.count > 1) {
      chosen = chosen.without(static_cast<std::size_t>(least - w.begin()));
      continue;
    }
    Solution out{chosen};
    for (std::size_t i = 0; i < chosen.count; ++i) out.weights[chosen.entries[i]] = w[i];
    out.cost = problem.cost(out.weights);
    return out;
  }
}

} // namespace

double RowProblem::cost(const Row& w) const {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    double product = -2 * h[i];
    for (std::size_t j = 0; j < count; ++j) product += g[i][j] * w[j];
    sum += w[i] * product;
  }
  return sum;
}

Row solveRow(const RowProblem& problem, std::size_t most) {
  Choice all;
  for (; all.count < problem.count; ++all.count) all.entries[all.count] = all.count;
  Solution best = solvePositive(problem, all);
  while (best.chosen.count > most) {
    Solution next;
    for (std::size_t place = 0; place < best.chosen.count; ++place)
      if (const Solution s = solvePositive(problem, best.chosen.without(place)); s.cost < next.cost) next = s;
    best = next;
  }
  return best.weights;
}

} // namespace skincells::levels

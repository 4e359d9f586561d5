// Weight rows by least squares.
#include "levels/row_solve.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "base/random.h"

namespace skincells::levels {
namespace {

using Values = std::array<double, kMostCandidates>;

// |w - wanted|^2, which has its least cost at `wanted`.
RowProblem towards(const Values& wanted, std::size_t count) {
  RowProblem problem;
  problem.count = count;
  for (std::size_t i = 0; i < count; ++i) problem.g[i][i] = 1, problem.h[i] = wanted[i];
  return problem;
}

std::size_t influences(const Values& w) {
  return static_cast<std::size_t>(std::ranges::count_if(w, [](double x) { return x > 0; }));
}

TEST(RowSolve, FindsAFeasibleRow) {
  const Values wanted{0.5, 0.3, 0.2};
  const Values w = solveRow(towards(wanted, 3), 4);
  for (std::size_t i = 0; i < kMostCandidates; ++i) EXPECT_NEAR(w[i], wanted[i], 1e-12);
}

TEST(RowSolve, RedistributesDroppedWeight) {
  const Values w = solveRow(towards({0.5, 0.3, 0.2}, 3), 2);
  EXPECT_NEAR(w[0], 0.6, 1e-12);
  EXPECT_NEAR(w[1], 0.4, 1e-12);
  EXPECT_EQ(w[2], 0);
}

TEST(RowSolve, DropsEntriesThatWouldBeNegative) {
  const Values w = solveRow(towards({1.2, 0.3, -0.5}, 3), 3);
  EXPECT_NEAR(w[0], 0.95, 1e-12);
  EXPECT_NEAR(w[1], 0.05, 1e-12);
  EXPECT_EQ(w[2], 0);
}

TEST(RowSolve, IsFeasibleForRandomProblems) {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    RowProblem problem;
    problem.count = 1 + random.below(kMostCandidates);
    std::array<Values, 12> rows{};
    for (Values& row : rows)
      for (double& x : row) x = random.uniform(-1, 1);
    for (std::size_t i = 0; i < problem.count; ++i) {
      problem.h[i] = random.uniform(-1, 1);
      for (std::size_t j = 0; j < problem.count; ++j)
        for (const Values& row : rows) problem.g[i][j] += row[i] * row[j];
    }
    const std::size_t most = 1 + random.below(4);
    const Values w = solveRow(problem, most);
    EXPECT_NEAR(std::accumulate(w.begin(), w.end(), 0.0), 1, 1e-9);
    EXPECT_LE(influences(w), most);
    for (const double x : w) EXPECT_GE(x, 0);
  }
}

} // namespace
} // namespace skincells::levels

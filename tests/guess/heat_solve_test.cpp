#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "base/random.h"
#include "guess/heat_solve.h"
#include "skincells/threads.h"

namespace skincells::guess {
namespace {

struct Problem {
  std::vector<mesh::EdgeWeight> edges;
  std::vector<HeatSource> sources;
};

Problem randomProblem(std::uint32_t count, std::uint32_t joints) {
  Random random(7);
  Problem p;
  for (std::uint32_t v = 0; v < count; ++v) {
    p.sources.push_back({static_cast<int>(random.below(joints)), random.uniform(0.01, 1)});
    for (std::uint32_t w = v + 1; w < std::min(count, v + 4); ++w) p.edges.push_back({v, w, random.uniform(0.1, 2)});
  }
  return p;
}

TEST(SolveHeat, MatchesADenseSolve) {
  constexpr std::uint32_t kCount = 60, kJoints = 19; // more joints than lanes
  const Problem p = randomProblem(kCount, kJoints);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(kCount, kCount), b = Eigen::MatrixXd::Zero(kCount, kJoints);
  for (std::uint32_t v = 0; v < kCount; ++v) {
    a(v, v) += p.sources[v].hold;
    b(v, p.sources[v].joint) = p.sources[v].hold;
  }
  for (const auto& e : p.edges) {
    a(e.a, e.a) += e.weight;
    a(e.b, e.b) += e.weight;
    a(e.a, e.b) -= e.weight;
    a(e.b, e.a) -= e.weight;
  }
  const Eigen::MatrixXd expected = a.ldlt().solve(b);
  const SparseWeights w = solveHeat(p.edges, p.sources, static_cast<int>(kJoints));
  for (std::uint32_t v = 0; v < kCount; ++v)
    for (std::size_t k = 0; k < kJoints; ++k) {
      if (w.weightRow(v)[k] > 0) {
        EXPECT_NEAR(w.weightRow(v)[k], expected(v, w.jointRow(v)[k]), 1e-6);
      }
    }
}

TEST(SolveHeat, KeepsTheLargestInOrder) {
  const Problem p = randomProblem(200, 12);
  const SparseWeights w = solveHeat(p.edges, p.sources, 3);
  for (std::size_t v = 0; v < w.vertexCount(); ++v) {
    const auto row = w.weightRow(v);
    EXPECT_GE(row[0], row[1]);
    EXPECT_GE(row[1], row[2]);
    EXPECT_NEAR(row[0] + row[1] + row[2], 1, 1e-6);
  }
}

TEST(SolveHeat, SameBytesForAnyThreadCount) {
  const Problem p = randomProblem(2000, 50);
  SparseWeights one, many;
  {
    const ThreadLimit limit(1);
    one = solveHeat(p.edges, p.sources, 4);
  }
  {
    const ThreadLimit limit(8);
    many = solveHeat(p.edges, p.sources, 4);
  }
  EXPECT_EQ(one.joints, many.joints);
  EXPECT_EQ(one.weights, many.weights);
}

TEST(SolveHeat, AnotherSolveOnTheSameEdgesIsLikeTheFirst) {
  Problem p = randomProblem(500, 20);
  HeatSolver solver(p.edges);
  solver.solve(p.sources, 4);
  for (HeatSource& s : p.sources) s.hold *= 16;
  const SparseWeights again = solver.solve(p.sources, 4), fresh = solveHeat(p.edges, p.sources, 4);
  EXPECT_EQ(again.joints, fresh.joints);
  EXPECT_EQ(again.weights, fresh.weights);
}

TEST(SolveHeat, NothingToSolve) {
  EXPECT_TRUE(solveHeat({}, {}, 4).empty());
  const std::vector<HeatSource> lonely{{3, 1e-30}};
  const SparseWeights w = solveHeat({}, lonely, 4);
  EXPECT_EQ(w.jointRow(0)[0], 3);
  EXPECT_EQ(w.weightRow(0)[0], 1);
}

} // namespace
} // namespace skincells::guess

#include "derive/influence_reduction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/parallel.h"

namespace skincells::derive {
namespace {

constexpr std::size_t kMost = kMaxInfluences;
constexpr double kRegularisation = 1e-9; // of the mean square: joints that move alike share

using Matrix = std::array<std::array<double, kMost>, kMost>;
using Row = std::array<double, kMost>;

// Solves g x = 1 for the n chosen rows and columns (Cholesky; g is positive definite).
Row solveOnes(const Matrix& g, const std::vector<std::size_t>& chosen) {
  const std::size_t n = chosen.size();
  Matrix l{};
  Row x{};
  for (std::size_t i = 0; i < n; ++i) {
    double forward = 1;
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = g[chosen[i]][chosen[j]];
      for (std::size_t k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
      l[i][j] = i == j ? std::sqrt(std::max(sum, std::numeric_limits<double>::min())) : sum / l[j][j];
    }
    for (std::size_t k = 0; k < i; ++k) forward -= l[i][k] * x[k];
    x[i] = forward / l[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= l[k][i] * x[k];
    x[i] /= l[i][i];
  }
  return x;
}

struct Solution {
  std::vector<std::size_t> chosen;
  Row weights{}; // by place in `chosen`
  double cost = 0;
};

// Non-negative weights that sum to 1 and minimise w^T g w over the chosen influences; those that would turn negative
// are given up, the most negative first.
Solution solve(const Matrix& g, std::vector<std::size_t> chosen) {
  while (true) {
    Row x = solveOnes(g, chosen);
    const auto end = x.begin() + static_cast<std::ptrdiff_t>(chosen.size());
    const auto least = std::min_element(x.begin(), end);
    if (*least < 0 && chosen.size() > 1) {
      chosen.erase(chosen.begin() + (least - x.begin()));
      continue;
    }
    double sum = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) sum += x[i];
    Solution out{std::move(chosen), x, 0};
    for (std::size_t i = 0; i < out.chosen.size(); ++i) out.weights[i] = x[i] / sum;
    for (std::size_t i = 0; i < out.chosen.size(); ++i)
      for (std::size_t j = 0; j < out.chosen.size(); ++j)
        out.cost += out.weights[i] * out.weights[j] * g[out.chosen[i]][out.chosen[j]];
    return out;
  }
}

// Products of the influences' offsets from where the full row brings the vertex, summed over the poses.
Matrix offsetProducts(const Vec3d& p, std::span<const std::uint16_t> joints, std::span<const float> weights,
                      const std::vector<Pose>& poses) {
  Matrix g{};
  double trace = 0;
  const std::size_t n = joints.size();
  for (const Pose& pose : poses) {
    std::array<Vec3d, kMost> offset;
    Vec3d whole;
    for (std::size_t k = 0; k < n; ++k) {
      offset[k] = pose[joints[k]].apply(p);
      whole += offset[k] * static_cast<double>(weights[k]);
    }
    for (std::size_t k = 0; k < n; ++k) offset[k] -= whole;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) g[i][j] += dot(offset[i], offset[j]);
  }
  for (std::size_t i = 0; i < n; ++i) trace += g[i][i];
  for (std::size_t i = 0; i < n; ++i)
    g[i][i] += kRegularisation * trace + std::numeric_limits<float>::min(); // solvable also where nothing moves
  return g;
}

Solution reduceRow(const Matrix& g, std::size_t count, std::size_t most) {
  Solution best;
  for (std::size_t k = 0; k < count; ++k) best.chosen.push_back(k);
  while (best.chosen.size() > most) {
    Solution next;
    next.cost = std::numeric_limits<double>::infinity();
    for (std::size_t without = 0; without < best.chosen.size(); ++without) {
      auto chosen = best.chosen;
      chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(without));
      Solution candidate = solve(g, std::move(chosen));
      if (candidate.cost < next.cost) next = std::move(candidate);
    }
    best = std::move(next);
  }
  return best;
}

} // namespace

SparseWeights reduceInfluences(std::span<const Vec3f> positions, const SparseWeights& weights,
                               const std::vector<Pose>& poses, int max_influences) {
  SparseWeights out = weights;
  const auto most = static_cast<std::size_t>(max_influences);
  parallelChunks(positions.size(), 512, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) {
      const auto row = weights.weightRow(v);
      const auto used = static_cast<std::size_t>(std::ranges::count_if(row, [](float w) { return w > 0; }));
      if (used <= most) continue; // canonical rows have their influences first
      const auto joints = weights.jointRow(v).first(used);
      const Solution s = reduceRow(offsetProducts(toDouble(positions[v]), joints, row.first(used), poses), used, most);
      std::ranges::fill(out.weightRow(v), 0.0F);
      std::ranges::fill(out.jointRow(v), std::uint16_t{0});
      for (std::size_t i = 0; i < s.chosen.size(); ++i) {
        out.jointRow(v)[i] = joints[s.chosen[i]];
        out.weightRow(v)[i] = static_cast<float>(s.weights[i]);
      }
    }
  });
  canonicalise(out, max_influences);
  return out;
}

} // namespace skincells::derive

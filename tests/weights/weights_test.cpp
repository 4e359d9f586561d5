#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random.h"
#include "skincells/weights.h"

namespace skincells {
namespace {

SparseWeights oneRow(std::vector<std::uint16_t> joints, std::vector<float> values) {
  SparseWeights w(1, static_cast<int>(joints.size()));
  w.joints = std::move(joints);
  w.weights = std::move(values);
  return w;
}

TEST(Canonicalize, SortsMergesPrunesAndNormalizes) {
  SparseWeights w = oneRow({3, 1, 3, 7, 9}, {0.1f, 0.2f, 0.2f, 0.4f, 0.05f});
  EXPECT_TRUE(canonicalize(w, 3).empty());
  EXPECT_EQ(w.slots, 3);
  EXPECT_EQ(w.joints, (std::vector<std::uint16_t>{7, 3, 1}));
  EXPECT_NEAR(w.weights[0], 0.4 / 0.9, 1e-6);
  EXPECT_NEAR(w.weights[1], 0.3 / 0.9, 1e-6);
}

TEST(Canonicalize, DropsNegativeAndNonFiniteWeights) {
  SparseWeights w = oneRow({1, 2, 3, 4}, {-1.0f, NAN, INFINITY, 2.0f});
  EXPECT_TRUE(canonicalize(w, 4).empty());
  EXPECT_EQ(w.joints, (std::vector<std::uint16_t>{4, 0, 0, 0}));
  EXPECT_EQ(w.weights, (std::vector<float>{1, 0, 0, 0}));
}

TEST(Canonicalize, ReportsEmptyRowsAndWidens) {
  SparseWeights w(2, 1);
  w.joints = {5, 6};
  w.weights = {0, 1};
  EXPECT_EQ(canonicalize(w, 4), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(w.joints, (std::vector<std::uint16_t>{0, 0, 0, 0, 6, 0, 0, 0}));
}

TEST(Quantize, SumsExactlyAndStaysClose) {
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    const std::size_t n = 1 + random.below(8);
    std::vector<float> row(n);
    for (float& w : row) w = static_cast<float>(std::pow(random.uniform(), 4.0) + 1e-9);
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (std::uint32_t total : {255U, 65535U}) {
      std::vector<std::uint32_t> q(n);
      quantizeRow(row, total, q);
      EXPECT_EQ(std::accumulate(q.begin(), q.end(), 0U), total);
      for (std::size_t k = 0; k < n; ++k) EXPECT_LT(std::fabs(row[k] / sum * total - q[k]), 1.0);
    }
  }
}

TEST(Quantize, RoundsOptimally) {
  std::vector<std::uint32_t> q(3);
  const std::vector<float> row{0.5f, 0.25f, 0.25f};
  quantizeRow(row, 255, q); // 127.5, 63.75, 63.75
  EXPECT_EQ(q, (std::vector<std::uint32_t>{127, 64, 64}));
  const std::vector<float> single{1, 0, 0};
  quantizeRow(single, 255, q);
  EXPECT_EQ(q, (std::vector<std::uint32_t>{255, 0, 0}));
}

TEST(Statistics, CountsInfluences) {
  SparseWeights w(3, 2);
  w.joints = {0, 1, 1, 0, 0, 0};
  w.weights = {0.7f, 0.3f, 0.99999f, 0.00001f, 0, 0};
  const WeightStatistics s = weightStatistics(w, 2);
  EXPECT_EQ(s.max_influences, 2);
  EXPECT_EQ(s.unweighted_vertices, 1U);
  EXPECT_EQ(s.vertices_of_joint, (std::vector<std::uint32_t>{1, 2}));
}

} // namespace
} // namespace skincells

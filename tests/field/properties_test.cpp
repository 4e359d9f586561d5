// Properties that every field guarantees, checked on random fields and points.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>

#include <gtest/gtest.h>

#include "field/evaluate.h"
#include "support/random_field.h"

namespace skincells::field {
namespace {

std::vector<float> denseHard(const FieldParameters& field, const std::vector<Vec3f>& points) {
  const SparseWeights sparse = evaluateHard(field, points);
  const std::size_t n = field.layout.joints();
  std::vector<float> out(points.size() * n, 0.0F);
  for (std::size_t v = 0; v < points.size(); ++v)
    for (std::size_t k = 0; k < static_cast<std::size_t>(sparse.slots); ++k)
      out[v * n + sparse.jointRow(v)[k]] += sparse.weightRow(v)[k];
  return out;
}

// Relaxed weights as the optimizer sees them, without dropping any.
std::vector<float> denseRelaxed(const FieldParameters& field, const std::vector<Vec3f>& points) {
  std::vector<Vec3f> unit;
  for (const Vec3f& p : points) unit.push_back(toFloat(field.toUnit(toDouble(p))));
  Evaluator evaluator(unit);
  weights::WeightRows rows;
  evaluator.evaluate(compile(field, FieldMode::Relaxed), 0, rows);
  const std::size_t n = field.layout.joints();
  std::vector<float> out(points.size() * n, 0.0F);
  for (std::size_t v = 0; v < points.size(); ++v)
    for (std::size_t e = rows.first[v]; e < rows.first[v] + rows.count[v]; ++e)
      out[v * n + rows.joint[e]] += rows.weight[e];
  return out;
}

// All but one weight in a thousand have to agree within `tolerance`: r amplifies rounding where D - d or d is tiny.
void expectNearlyAll(const std::vector<float>& a, const std::vector<float>& b, float tolerance) {
  ASSERT_EQ(a.size(), b.size());
  std::size_t off = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    off += std::abs(a[i] - b[i]) > tolerance ? 1 : 0;
    EXPECT_NEAR(a[i], b[i], 50 * tolerance);
  }
  EXPECT_LE(off, a.size() / 1000);
}

class FieldProperties : public testing::TestWithParam<std::tuple<FieldShape, FieldMode>> {
protected:
  static FieldShape shape() { return std::get<0>(GetParam()); }
  static FieldMode mode() { return std::get<1>(GetParam()); }
  FieldParameters field(int joints, int sites, int k) {
    return test::randomField(random_, {joints, sites, shape()}, k);
  }
  static std::vector<float> dense(const FieldParameters& f, const std::vector<Vec3f>& points) {
    return mode() == FieldMode::Hard ? denseHard(f, points) : denseRelaxed(f, points);
  }
  Random random_{21};
};

TEST_P(FieldProperties, AtMostKWeightsThatSumToOneEverywhere) {
  for (int joints : {1, 2, 3, 5, 9, 40})
    for (int k : {1, 2, 4, 8}) {
      const FieldParameters f = field(joints, 3, k);
      const auto points = test::randomPoints(random_, 300, -2, 3);
      const std::vector<float> w = dense(f, points);
      const std::size_t n = f.layout.joints();
      for (std::size_t v = 0; v < points.size(); ++v) {
        float sum = 0;
        int nonzero = 0;
        for (float x : std::span(w).subspan(v * n, n)) {
          ASSERT_TRUE(x >= 0 && x <= 1.000001F) << joints << " joints, K = " << k;
          sum += x;
          nonzero += x > 0 ? 1 : 0;
        }
        EXPECT_NEAR(sum, 1, 1e-5F);
        EXPECT_GE(nonzero, 1);
        // With slack every joint has some weight; without it the limit holds at every point in space.
        if (mode() == FieldMode::Hard) {
          EXPECT_LE(nonzero, k);
        }
      }
    }
}

TEST_P(FieldProperties, AtMostKWeightsWithNormals) {
  for (int joints : {1, 3, 5, 9, 40})
    for (int k : {1, 2, 4, 8}) {
      const FieldParameters f = test::randomField(random_, {joints, 3, shape(), true}, k);
      const auto points = test::randomPoints(random_, 300, -2, 3);
      const SparseWeights w = evaluateHard(f, {points, test::randomNormals(random_, 300)});
      ASSERT_EQ(w.slots, k);
      for (std::size_t v = 0; v < points.size(); ++v) {
        float sum = 0;
        for (float x : w.weightRow(v)) sum += x;
        EXPECT_NEAR(sum, 1, 1e-5F);
      }
    }
}

TEST_P(FieldProperties, NoNaNAtSitesWithNormals) {
  FieldParameters f = test::randomField(random_, {12, 3, shape(), true}, 4);
  std::vector<Vec3f> points = {{1e6F, -1e6F, 1e6F}, {0, 0, 0}};
  for (std::size_t s = 0; s < f.layout.sites(); ++s)
    points.push_back({f.centers()[3 * s], f.centers()[3 * s + 1], f.centers()[3 * s + 2]});
  const std::vector<Vec3f> normals(points.size(), Vec3f{0, 0.6F, 0.8F});
  for (float extreme : {-100.0F, 0.0F, 100.0F}) {
    for (float& v : f.logFronts()) v = extreme;
    for (float w : evaluateHard(f, {points, normals}).weights) EXPECT_TRUE(std::isfinite(w)) << extreme;
    Evaluator evaluator({points, normals});
    weights::WeightRows rows;
    const CompiledField compiled = compile(f, FieldMode::Relaxed);
    evaluator.evaluate(compiled, kKeepAbove, rows);
    std::vector<float> gradient(f.layout.size());
    evaluator.differentiate(compiled, rows, std::vector<float>(rows.entryCount(), 1.0F), gradient);
    for (float w : rows.weight) EXPECT_TRUE(std::isfinite(w)) << extreme;
    for (float g : gradient) EXPECT_TRUE(std::isfinite(g)) << extreme;
  }
}

TEST_P(FieldProperties, NoNaNAtSitesFarAwayOrForExtremeParameters) {
  FieldParameters f = field(12, 3, 4);
  std::vector<Vec3f> points = {{1e6F, -1e6F, 1e6F}, {0, 0, 0}};
  for (std::size_t s = 0; s < f.layout.sites(); ++s)
    points.push_back({f.centers()[3 * s], f.centers()[3 * s + 1], f.centers()[3 * s + 2]});
  for (float extreme : {-100.0F, -3.0F, 0.0F, 3.0F, 100.0F}) {
    FieldParameters g = f;
    for (float& v : g.logOffsets()) v = extreme;
    for (float& v : g.logFalloffs()) v = extreme;
    for (float w : evaluateHard(g, points).weights) EXPECT_TRUE(std::isfinite(w)) << extreme;
    Evaluator evaluator(points);
    weights::WeightRows rows;
    const CompiledField compiled = compile(g, FieldMode::Relaxed);
    evaluator.evaluate(compiled, kKeepAbove, rows);
    std::vector<float> gradient(g.layout.size());
    evaluator.differentiate(compiled, rows, std::vector<float>(rows.entryCount(), 1.0F), gradient);
    for (float w : rows.weight) EXPECT_TRUE(std::isfinite(w)) << extreme;
  }
}

struct Jump {
  float size = 0;
  Vec3f from, to;
};

using Dense = std::vector<float> (*)(const FieldParameters&, const std::vector<Vec3f>&);

// The largest change of any weight between neighbors on a line of points.
Jump largestJump(Dense dense, const FieldParameters& f, const Vec3f& from, const Vec3f& to, int steps) {
  std::vector<Vec3f> points;
  for (int i = 0; i <= steps; ++i) {
    const float s = static_cast<float>(i) / static_cast<float>(steps);
    points.push_back(from * (1 - s) + to * s);
  }
  const auto w = dense(f, points);
  const std::size_t n = f.layout.joints();
  Jump jump;
  for (std::size_t i = n; i < w.size(); ++i)
    if (const float size = std::abs(w[i] - w[i - n]); size > jump.size) jump = {size, points[i / n - 1], points[i / n]};
  return jump;
}

TEST_P(FieldProperties, ContinuousAcrossCellBorders) {
  const FieldParameters f = field(20, 3, 4);
  for (int line = 0; line < 50; ++line) {
    const auto ends = test::randomPoints(random_, 2);
    const Jump coarse = largestJump(dense, f, ends[0], ends[1], 2000);
    // A discontinuity keeps its size when magnified; a steep slope does not.
    const Jump fine = largestJump(dense, f, coarse.from, coarse.to, 32);
    EXPECT_LT(fine.size, 0.25F * coarse.size + 1e-4F);
  }
}

TEST_P(FieldProperties, FollowsUniformScaling) {
  const FieldParameters f = field(20, 3, 4);
  const auto points = test::randomPoints(random_, 300);
  const float factor = 2.5F;
  FieldParameters scaled = f;
  for (float& v : scaled.centers()) v *= factor;
  for (float& v : scaled.logOffsets()) v += std::log(factor);
  for (float& v : scaled.logSlacks()) v += std::log(factor);
  std::vector<Vec3f> scaled_points = points;
  for (Vec3f& p : scaled_points) p *= factor;
  expectNearlyAll(dense(f, points), dense(scaled, scaled_points), 1e-4F);

  FieldParameters by_box = f; // the same by way of the unit-box transform
  by_box.unit_scale = 1 / static_cast<double>(factor);
  expectNearlyAll(dense(f, points), dense(by_box, scaled_points), 1e-4F);
}

// The lower triangle L' with L'^T L' = R L^T L R^T: rotated points have the same distance to the rotated site.
void rotateTriangle(const Affine& turn, float* shape) {
  const double l[3][3] = {
      {std::exp(shape[0]), 0, 0}, {shape[1], std::exp(shape[2]), 0}, {shape[3], shape[4], std::exp(shape[5])}};
  double turned[3][3] = {}; // L R^T
  double a[3][3] = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) turned[i][j] += l[i][k] * turn.m[j][k];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) a[i][j] += turned[k][i] * turned[k][j];
  const double l22 = std::sqrt(a[2][2]), l20 = a[2][0] / l22, l21 = a[2][1] / l22;
  const double l11 = std::sqrt(a[1][1] - l21 * l21), l10 = (a[1][0] - l21 * l20) / l11;
  const double l00 = std::sqrt(a[0][0] - l10 * l10 - l20 * l20);
  const double out[6] = {std::log(l00), l10, std::log(l11), l20, l21, std::log(l22)};
  for (int i = 0; i < 6; ++i) shape[i] = static_cast<float>(out[i]);
}

// A shape of scale and rotation gets R(q') = R(q) R^T.
TEST_P(FieldProperties, FollowsRigidMotion) {
  FieldParameters f = field(20, 3, 4);
  const auto points = test::randomPoints(random_, 300);
  const double half = 0.4, w = std::cos(half), z = std::sin(half);
  const Affine turn = Affine::fromTranslation({0.3, -0.1, 0.2}) * Affine::rotation({0, 0, 1}, 2 * half);
  FieldParameters moved = f;
  for (std::size_t s = 0; s < f.layout.sites(); ++s) {
    const Vec3d p = turn.apply({f.centers()[3 * s], f.centers()[3 * s + 1], f.centers()[3 * s + 2]});
    moved.centers()[3 * s] = static_cast<float>(p.x);
    moved.centers()[3 * s + 1] = static_cast<float>(p.y);
    moved.centers()[3 * s + 2] = static_cast<float>(p.z);
    if (shape() == FieldShape::Triangular) {
      rotateTriangle(turn, &moved.shapes()[6 * s]);
      continue;
    }
    const float* q = &f.shapes()[7 * s + 3];
    float* out = &moved.shapes()[7 * s + 3]; // q * conjugate(turn)
    out[0] = static_cast<float>(q[0] * w + q[3] * z);
    out[1] = static_cast<float>(q[1] * w - q[2] * z);
    out[2] = static_cast<float>(q[2] * w + q[1] * z);
    out[3] = static_cast<float>(q[3] * w - q[0] * z);
  }
  std::vector<Vec3f> moved_points;
  for (const Vec3f& p : points) moved_points.push_back(toFloat(turn.apply(toDouble(p))));
  expectNearlyAll(dense(f, points), dense(moved, moved_points), 1e-4F);
}

// The field whose joint j is joint joint_of[j] of `f`; sites likewise.
FieldParameters permuted(FieldParameters& f, const std::vector<std::size_t>& joint_of,
                         const std::vector<std::size_t>& site_of) {
  FieldParameters out(f.layout, f.max_influences);
  const std::size_t m = f.layout.sitesPerJoint(), size = f.layout.shapeSize();
  for (std::size_t j = 0; j < joint_of.size(); ++j) {
    out.logSlacks()[j] = f.logSlacks()[joint_of[j]];
    out.logFalloffs()[j] = f.logFalloffs()[joint_of[j]];
    for (std::size_t s = 0; s < m; ++s) {
      const std::size_t to = j * m + s, from = joint_of[j] * m + site_of[s];
      out.logOffsets()[to] = f.logOffsets()[from];
      for (std::size_t i = 0; i < 3; ++i) out.centers()[3 * to + i] = f.centers()[3 * from + i];
      for (std::size_t i = 0; i < size; ++i) out.shapes()[size * to + i] = f.shapes()[size * from + i];
    }
  }
  return out;
}

TEST_P(FieldProperties, OrderOfJointsAndSitesDoesNotMatter) {
  FieldParameters f = field(20, 3, 4);
  const auto points = test::randomPoints(random_, 300);
  std::vector<std::size_t> joint_of(20);
  std::iota(joint_of.begin(), joint_of.end(), 0U);
  for (std::size_t j = 19; j > 0; --j) std::swap(joint_of[j], joint_of[random_.below(static_cast<std::uint32_t>(j))]);
  const auto before = dense(f, points), after = dense(permuted(f, joint_of, {2, 0, 1}), points);
  std::vector<float> back(after.size());
  for (std::size_t v = 0; v < points.size(); ++v)
    for (std::size_t j = 0; j < 20; ++j) back[v * 20 + joint_of[j]] = after[v * 20 + j];
  expectNearlyAll(before, back, 1e-6F);
}

TEST(FieldTies, TheNearestGetEqualWeightsLowerIndexFirst) {
  FieldParameters f({6, 2, FieldShape::Triangular}, 4);
  for (float& v : f.logFalloffs()) v = 1;
  const SparseWeights w = evaluateHard(f, std::vector<Vec3f>(5, Vec3f{0.3F, 0.2F, 0.1F}));
  for (std::size_t v = 0; v < 5; ++v)
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(w.jointRow(v)[k], k);
      EXPECT_EQ(w.weightRow(v)[k], 0.25F);
    }
}

INSTANTIATE_TEST_SUITE_P(ShapesAndModes, FieldProperties,
                         testing::Combine(testing::Values(FieldShape::ScaleRotation, FieldShape::Triangular),
                                          testing::Values(FieldMode::Hard, FieldMode::Relaxed)));

} // namespace
} // namespace skincells::field

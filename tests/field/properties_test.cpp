// What every field promises, over random fields and points.
#include <algorithm>
#include <cmath>
#include <numeric>

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

// `allowed` is met by all but one weight in a thousand: r amplifies rounding where D - d or d is tiny.
void expectNearlyAll(const std::vector<float>& a, const std::vector<float>& b, float allowed) {
  ASSERT_EQ(a.size(), b.size());
  std::size_t off = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    off += std::abs(a[i] - b[i]) > allowed ? 1 : 0;
    EXPECT_NEAR(a[i], b[i], 50 * allowed);
  }
  EXPECT_LE(off, a.size() / 1000);
}

class FieldProperties : public testing::TestWithParam<FieldShape> {
protected:
  FieldParameters field(int joints, int sites, int k) {
    return test::randomField(random_, {joints, sites, GetParam()}, k);
  }
  Random random_{21};
};

TEST_P(FieldProperties, AtMostKWeightsThatSumToOneEverywhere) {
  for (int joints : {1, 2, 3, 5, 9, 40})
    for (int k : {1, 2, 4, 8}) {
      const FieldParameters f = field(joints, 3, k);
      const auto points = test::randomPoints(random_, 300, -2, 3);
      const SparseWeights w = evaluateHard(f, points);
      ASSERT_EQ(w.slots, k);
      for (std::size_t v = 0; v < points.size(); ++v) {
        float sum = 0;
        for (float x : w.weightRow(v)) {
          ASSERT_TRUE(x >= 0 && x <= 1.000001F) << joints << " joints, K = " << k;
          sum += x;
        }
        EXPECT_NEAR(sum, 1, 1e-5F);
        for (std::uint16_t j : w.jointRow(v)) EXPECT_LT(j, joints);
      }
    }
}

TEST_P(FieldProperties, NoNaNAtSitesFarAwayOrForExtremeParameters) {
  FieldParameters f = field(12, 3, 4);
  std::vector<Vec3f> points = {{1e6F, -1e6F, 1e6F}, {0, 0, 0}};
  for (std::size_t s = 0; s < f.layout.sites(); ++s)
    points.push_back({f.centres()[3 * s], f.centres()[3 * s + 1], f.centres()[3 * s + 2]});
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
    evaluator.differentiate(compiled, g, rows, std::vector<float>(rows.entryCount(), 1.0F), gradient);
    for (float w : rows.weight) EXPECT_TRUE(std::isfinite(w)) << extreme;
  }
}

struct Jump {
  float size = 0;
  Vec3f from, to;
};

// The largest change of any weight between neighbours on a line of points.
Jump largestJump(const FieldParameters& f, const Vec3f& from, const Vec3f& to, int steps) {
  std::vector<Vec3f> points;
  for (int i = 0; i <= steps; ++i) {
    const float s = static_cast<float>(i) / static_cast<float>(steps);
    points.push_back(from * (1 - s) + to * s);
  }
  const auto w = denseHard(f, points);
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
    const Jump coarse = largestJump(f, ends[0], ends[1], 2000);
    // A true jump keeps its size under a magnifying glass; a steep slope does not.
    const Jump fine = largestJump(f, coarse.from, coarse.to, 32);
    EXPECT_LT(fine.size, 0.25F * coarse.size + 1e-4F);
  }
}

TEST_P(FieldProperties, FollowsUniformScaling) {
  const FieldParameters f = field(20, 3, 4);
  const auto points = test::randomPoints(random_, 300);
  const float factor = 2.5F;
  FieldParameters scaled = f;
  for (float& v : scaled.centres()) v *= factor;
  for (float& v : scaled.logOffsets()) v += std::log(factor);
  std::vector<Vec3f> scaled_points = points;
  for (Vec3f& p : scaled_points) p *= factor;
  expectNearlyAll(denseHard(f, points), denseHard(scaled, scaled_points), 1e-4F);

  FieldParameters by_box = f; // the same through the unit-box transform
  by_box.unit_scale = 1 / static_cast<double>(factor);
  expectNearlyAll(denseHard(f, points), denseHard(by_box, scaled_points), 1e-4F);
}

// F' = F R^T. For scale and rotation R(q') = R(q) R^T; for triangles that needs a new triangle, found by symmetry:
// a quarter turn about an axis that a diagonal F shrugs off is enough of a test there.
TEST_P(FieldProperties, FollowsRigidMotion) {
  FieldParameters f = field(20, 3, 4);
  const auto points = test::randomPoints(random_, 300);
  const double half = 0.4, w = std::cos(half), z = std::sin(half);
  const Affine turn = Affine::fromTranslation({0.3, -0.1, 0.2}) * Affine::rotation({0, 0, 1}, 2 * half);
  if (GetParam() == FieldShape::Triangular)
    for (std::size_t s = 0; s < f.layout.sites(); ++s) {
      float* shape = &f.shapes()[6 * s];
      shape[1] = shape[3] = shape[4] = 0, shape[2] = shape[0];
    }
  FieldParameters moved = f;
  for (std::size_t s = 0; s < f.layout.sites(); ++s) {
    const Vec3d p = turn.apply({f.centres()[3 * s], f.centres()[3 * s + 1], f.centres()[3 * s + 2]});
    moved.centres()[3 * s] = static_cast<float>(p.x);
    moved.centres()[3 * s + 1] = static_cast<float>(p.y);
    moved.centres()[3 * s + 2] = static_cast<float>(p.z);
    if (GetParam() != FieldShape::ScaleRotation) continue;
    const float* q = &f.shapes()[7 * s + 3];
    float* out = &moved.shapes()[7 * s + 3]; // q * conjugate(turn)
    out[0] = static_cast<float>(q[0] * w + q[3] * z);
    out[1] = static_cast<float>(q[1] * w - q[2] * z);
    out[2] = static_cast<float>(q[2] * w + q[1] * z);
    out[3] = static_cast<float>(q[3] * w - q[0] * z);
  }
  std::vector<Vec3f> moved_points;
  for (const Vec3f& p : points) moved_points.push_back(toFloat(turn.apply(toDouble(p))));
  expectNearlyAll(denseHard(f, points), denseHard(moved, moved_points), 1e-4F);
}

// The field with joint j' = joint_of[j'] of the old one, and sites likewise.
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
      for (std::size_t i = 0; i < 3; ++i) out.centres()[3 * to + i] = f.centres()[3 * from + i];
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
  const auto before = denseHard(f, points), after = denseHard(permuted(f, joint_of, {2, 0, 1}), points);
  std::vector<float> back(after.size());
  for (std::size_t v = 0; v < points.size(); ++v)
    for (std::size_t j = 0; j < 20; ++j) back[v * 20 + joint_of[j]] = after[v * 20 + j];
  expectNearlyAll(before, back, 1e-6F);
}

TEST(FieldTies, TheNearestShareEquallyLowerIndexFirst) {
  FieldParameters f({6, 2, FieldShape::Triangular}, 4);
  for (float& v : f.logFalloffs()) v = 1;
  const SparseWeights w = evaluateHard(f, std::vector<Vec3f>(5, Vec3f{0.3F, 0.2F, 0.1F}));
  for (std::size_t v = 0; v < 5; ++v)
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(w.jointRow(v)[k], k);
      EXPECT_EQ(w.weightRow(v)[k], 0.25F);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, FieldProperties, testing::Values(FieldShape::ScaleRotation, FieldShape::Triangular));

} // namespace
} // namespace skincells::field

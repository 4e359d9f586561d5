// The fast evaluation against the golden vectors and against the float64 definition.
#include "field/evaluate.h"

#include <cmath>

#include <gtest/gtest.h>

#include "field/reference.h"
#include "kernels/kernels.h"
#include "skincells/threads.h"
#include "support/files.h"
#include "support/golden.h"
#include "support/gradient_check.h"
#include "support/random_field.h"

namespace skincells::field {
namespace {

// Rows as a dense matrix (point, joint).
std::vector<double> dense(const weights::WeightRows& rows, std::size_t n) {
  std::vector<double> out(rows.vertexCount() * n, 0.0);
  for (std::size_t v = 0; v < rows.vertexCount(); ++v)
    for (std::size_t e = rows.first[v]; e < rows.first[v] + rows.count[v]; ++e)
      out[v * n + rows.joint[e]] = rows.weight[e];
  return out;
}

// The coefficients of the functional at the entries of the rows.
std::vector<float> atEntries(const weights::WeightRows& rows, const std::vector<double>& functional, std::size_t n) {
  std::vector<float> out(rows.entryCount());
  for (std::size_t v = 0; v < rows.vertexCount(); ++v)
    for (std::size_t e = rows.first[v]; e < rows.first[v] + rows.count[v]; ++e)
      out[e] = static_cast<float>(functional[v * n + rows.joint[e]]);
  return out;
}

struct Evaluated {
  weights::WeightRows rows;
  std::vector<double> weights, gradient;
};

Evaluated evaluateFast(const FieldParameters& field, const FieldPoints& points, FieldMode mode, float keep_above,
                       const std::vector<double>& functional) {
  Evaluated out;
  Evaluator evaluator(points);
  const CompiledField compiled = compile(field, mode);
  evaluator.evaluate(compiled, keep_above, out.rows);
  out.weights = dense(out.rows, field.layout.joints());
  std::vector<float> gradient(field.layout.size());
  evaluator.differentiate(compiled, out.rows, atEntries(out.rows, functional, field.layout.joints()), gradient);
  out.gradient.assign(gradient.begin(), gradient.end());
  return out;
}

// One point of a list.
ReferencePoint<double> pointOf(const FieldPoints& points, std::size_t v) {
  return {toDouble(points.positions[v]), points.normals.empty() ? Vec3d{} : toDouble(points.normals[v])};
}

Evaluated evaluateExact(const FieldParameters& parameters, const FieldPoints& points, FieldMode mode,
                        const std::vector<double>& functional) {
  const std::vector<double> values(parameters.values.begin(), parameters.values.end());
  const ReferenceField<double> field{parameters.layout, parameters.max_influences, values};
  Evaluated out;
  out.gradient.resize(values.size());
  const std::size_t n = field.layout.joints();
  for (std::size_t v = 0; v < points.size(); ++v) {
    const auto trace = evaluatePoint(field, pointOf(points, v), mode);
    out.weights.insert(out.weights.end(), trace.weight.begin(), trace.weight.end());
    addPointGradient(field, pointOf(points, v), mode, trace, std::span(functional).subspan(v * n, n),
                     std::span(out.gradient));
  }
  return out;
}

double largestDifference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) worst = std::fmax(worst, std::abs(a[i] - b[i]));
  return worst;
}

class FastGolden : public testing::TestWithParam<const char*> {};

TEST_P(FastGolden, EveryCase) {
  SKINCELLS_NEEDS_SHARED();
  const auto file = test::readGolden(GetParam());
  for (const auto& golden : file["cases"]) {
    const std::string name = golden["name"];
    SCOPED_TRACE(name);
    const FieldParameters field = test::goldenField(golden["params"], golden["l"]);
    std::vector<Vec3f> points;
    for (const Vec3d& p : test::flatPoints(golden["points"])) points.push_back(toFloat(p));
    // Points exactly on a cell border or a switch move off it in float32. Their weights still have to agree, up to the
    // rounding that r amplifies, but the one-sided derivative may be that of the other side.
    const bool sharp = name == "huber switch" || name == "near cell boundaries" || name == "large r";
    for (FieldMode mode : {FieldMode::Relaxed, FieldMode::Hard}) {
      const auto& expected = golden[mode == FieldMode::Hard ? "hard" : "relaxed"];
      const Evaluated fast = evaluateFast(field, points, mode, 0, test::flat(golden["functional"]));
      EXPECT_LT(largestDifference(fast.weights, test::flat(expected["weights"])), sharp ? 2e-3 : 1e-4);
      const std::vector<double> gradient = test::goldenValues(field.layout, expected["gradient"]);
      if (!sharp) {
        EXPECT_LT(test::worstError(fast.gradient, gradient, 1), 2e-4);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, FastGolden,
                         testing::Values("field_sr_a.json", "field_sr_b.json", "field_tri_a.json", "field_tri_b.json"));

std::vector<double> randomFunctional(Random& random, std::size_t count) {
  std::vector<double> out(count);
  for (double& v : out) v = random.uniform(-1, 1);
  return out;
}

TEST(Evaluator, AgreesWithTheDefinitionOnRandomFields) {
  Random random(11);
  for (const FieldShape shape : {FieldShape::ScaleRotation, FieldShape::Triangular})
    for (const FieldMode mode : {FieldMode::Relaxed, FieldMode::Hard})
      for (const int joints : {1, 4, 5, 16, 40}) {
        const FieldParameters field = test::randomField(random, {joints, 3, shape}, 4);
        const std::vector<Vec3f> points = test::randomPoints(random, 200);
        const auto functional = randomFunctional(random, points.size() * field.layout.joints());
        const Evaluated exact = evaluateExact(field, points, mode, functional);
        const Evaluated fast = evaluateFast(field, points, mode, 0, functional);
        EXPECT_LT(largestDifference(fast.weights, exact.weights), 5e-5) << joints;
        EXPECT_LT(test::worstError(fast.gradient, exact.gradient, 1), 2e-4) << joints;
      }
}

TEST(Evaluator, AgreesWithTheDefinitionOnPointsWithNormals) {
  Random random(17);
  for (const FieldShape shape : {FieldShape::ScaleRotation, FieldShape::Triangular})
    for (const FieldMode mode : {FieldMode::Relaxed, FieldMode::Hard})
      for (const int joints : {1, 4, 5, 16, 40})
        for (const std::size_t count : {1UL, 15UL, 16UL, 17UL, 200UL}) {
          const FieldParameters field = test::randomField(random, {joints, 3, shape, true}, 4);
          const std::vector<Vec3f> positions = test::randomPoints(random, count);
          const std::vector<Vec3f> normals = test::randomNormals(random, count);
          const FieldPoints points(positions, normals);
          const auto functional = randomFunctional(random, count * field.layout.joints());
          const Evaluated exact = evaluateExact(field, points, mode, functional);
          const Evaluated fast = evaluateFast(field, points, mode, 0, functional);
          EXPECT_LT(largestDifference(fast.weights, exact.weights), 5e-5) << joints;
          EXPECT_LT(test::worstError(fast.gradient, exact.gradient, 1), 4e-4) << joints;
          const Evaluated without = evaluateExact(field, positions, mode, functional);
          if (joints > 4 && count > 1) {
            EXPECT_GT(largestDifference(without.weights, exact.weights), 0.01);
          }
        }
}

// Bounds skip cells; with normals they have to allow for the factor.
TEST(Evaluator, SkipsNoCellThatMattersWithNormals) {
  Random random(18);
  FieldParameters field = test::randomField(random, {60, 4, FieldShape::ScaleRotation, true}, 4);
  for (float& v : field.logFronts()) v = std::log(5.0F);
  const std::vector<Vec3f> positions = test::randomPoints(random, 2000), normals = test::randomNormals(random, 2000);
  const FieldPoints points(positions, normals);
  const std::vector<double> none(2000 * 60);
  for (const FieldMode mode : {FieldMode::Hard, FieldMode::Relaxed}) {
    const Evaluated exact = evaluateExact(field, points, mode, none);
    const float keep_above = mode == FieldMode::Hard ? 0 : kKeepAbove;
    const Evaluated fast = evaluateFast(field, points, mode, keep_above, none);
    EXPECT_LT(largestDifference(fast.weights, exact.weights), 1e-4 + 60.0 * double{keep_above});
  }
}

TEST(Evaluator, WithoutNormalsAFieldThatSeesThemIsAPlainOne) {
  Random random(19);
  const FieldParameters seeing = test::randomField(random, {30, 3, FieldShape::ScaleRotation, true}, 4);
  FieldParameters plain({30, 3, FieldShape::ScaleRotation}, 4);
  std::copy_n(seeing.values.begin(), plain.values.size(), plain.values.begin());
  const std::vector<Vec3f> points = test::randomPoints(random, 300), zeros(300);
  const SparseWeights expected = evaluateHard(plain, points);
  EXPECT_EQ(evaluateHard(plain, {points, test::randomNormals(random, 300)}).weights, expected.weights);
  for (const FieldPoints& without : {FieldPoints(points), FieldPoints(points, zeros)}) {
    const SparseWeights found = evaluateHard(seeing, without); // cells are visited in another order
    EXPECT_EQ(found.joints, expected.joints);
    for (std::size_t i = 0; i < expected.weights.size(); ++i) EXPECT_NEAR(found.weights[i], expected.weights[i], 1e-5);
  }
}

TEST(Reference, GradientsInAllParametersFollowDifferences) {
  Random random(20);
  for (const FieldShape shape : {FieldShape::ScaleRotation, FieldShape::Triangular}) {
    const FieldParameters parameters = test::randomField(random, {7, 2, shape, true}, 3, 0.05);
    const std::vector<Vec3f> positions = test::randomPoints(random, 40), normals = test::randomNormals(random, 40);
    const FieldPoints points(positions, normals);
    const auto functional = randomFunctional(random, 40 * 7);
    const auto value = [&](const std::vector<double>& values) {
      const ReferenceField<double> field{parameters.layout, parameters.max_influences, values};
      double sum = 0;
      for (std::size_t v = 0; v < points.size(); ++v) {
        const auto trace = evaluatePoint(field, pointOf(points, v), FieldMode::Relaxed);
        for (std::size_t j = 0; j < 7; ++j) sum += functional[v * 7 + j] * trace.weight[j];
      }
      return sum;
    };
    const Evaluated exact = evaluateExact(parameters, points, FieldMode::Relaxed, functional);
    for (std::size_t j = 0; j < 7; ++j) EXPECT_NE(exact.gradient[parameters.layout.frontBegin() + j], 0);
    test::checkGradient(value, {parameters.values.begin(), parameters.values.end()}, exact.gradient, 1e-7, 1e-5);
  }
}

TEST(Evaluator, DropsOnlySmallWeights) {
  Random random(12);
  FieldParameters field = test::randomField(random, {60, 4, FieldShape::ScaleRotation}, 4);
  for (float& v : field.logFalloffs()) v = std::log(4.0F);
  const std::vector<Vec3f> points = test::randomPoints(random, 500, 0.3, 0.5);
  const auto functional = randomFunctional(random, points.size() * 60);
  const Evaluated all = evaluateFast(field, points, FieldMode::Relaxed, 0, functional);
  EXPECT_EQ(all.rows.entryCount(), points.size() * 60);
  for (float keep_above : {1e-5F, kKeepAbove}) {
    const Evaluated some = evaluateFast(field, points, FieldMode::Relaxed, keep_above, functional);
    EXPECT_LT(some.rows.entryCount(), all.rows.entryCount() / 2);
    for (std::size_t i = 0; i < all.weights.size(); ++i) {
      if (some.weights[i] == 0) {
        EXPECT_LE(all.weights[i], 1.01 * keep_above);
      }
      EXPECT_NEAR(some.weights[i], all.weights[i], 60 * keep_above);
    }
    EXPECT_LT(test::worstError(some.gradient, all.gradient, 1), 60 * keep_above);
  }
}

TEST(Evaluator, ScalarAndSimdAgree) {
  Random random(13);
  for (const bool sees : {false, true}) {
    const FieldParameters field = test::randomField(random, {30, 6, FieldShape::ScaleRotation, sees}, 4);
    const std::vector<Vec3f> positions = test::randomPoints(random, 333), normals = test::randomNormals(random, 333);
    const FieldPoints points(positions, normals);
    const auto functional = randomFunctional(random, points.size() * 30);
    const Evaluated simd = evaluateFast(field, points, FieldMode::Relaxed, 0, functional);
    const kernels::ScalarOnly scalar;
    const Evaluated plain = evaluateFast(field, points, FieldMode::Relaxed, 0, functional);
    EXPECT_LT(largestDifference(simd.weights, plain.weights), 5e-5);
    EXPECT_LT(test::worstError(simd.gradient, plain.gradient, 1), 2e-4);
  }
}

TEST(Evaluator, SameBytesForAnyThreadCount) {
  Random random(14);
  const FieldParameters field = test::randomField(random, {50, 6, FieldShape::Triangular, true}, 4);
  const std::vector<Vec3f> positions = test::randomPoints(random, 3000), normals = test::randomNormals(random, 3000);
  const FieldPoints points(positions, normals);
  const auto functional = randomFunctional(random, points.size() * 50);
  Evaluated by_threads[3];
  for (int i = 0; i < 3; ++i) {
    const ThreadLimit limit(1 << i);
    by_threads[i] = evaluateFast(field, points, FieldMode::Relaxed, kKeepAbove, functional);
  }
  for (int i = 1; i < 3; ++i) {
    EXPECT_EQ(by_threads[i].rows.weight, by_threads[0].rows.weight);
    EXPECT_EQ(by_threads[i].gradient, by_threads[0].gradient);
  }
}

TEST(Evaluator, NoPointsNoRows) {
  Random random(15);
  const FieldParameters field = test::randomField(random, {5, 2, FieldShape::Triangular}, 4);
  const Evaluated none = evaluateFast(field, {}, FieldMode::Relaxed, 0, {});
  EXPECT_EQ(none.rows.vertexCount(), 0U);
  for (double g : none.gradient) EXPECT_EQ(g, 0);
  EXPECT_EQ(evaluateHard(field, {}).vertexCount(), 0U);
}

TEST(EvaluateHard, IsTheHardFieldInCanonicalForm) {
  Random random(16);
  FieldParameters field = test::randomField(random, {25, 4, FieldShape::ScaleRotation}, 4);
  field.unit_origin = {1, -2, 3};
  field.unit_scale = 0.5;
  std::vector<Vec3f> unit = test::randomPoints(random, 1000), world;
  for (const Vec3f& p : unit) world.push_back(toFloat(toDouble(p) * 2.0 + field.unit_origin));
  const SparseWeights sparse = evaluateHard(field, world);
  const Evaluated exact = evaluateExact(field, unit, FieldMode::Hard, std::vector<double>(unit.size() * 25));
  for (std::size_t v = 0; v < unit.size(); ++v) {
    float sum = 0, last = 1;
    for (std::size_t k = 0; k < 4; ++k) {
      const float w = sparse.weightRow(v)[k];
      if (w > 0) {
        EXPECT_NEAR(w, exact.weights[v * 25 + sparse.jointRow(v)[k]], 1e-4);
      }
      EXPECT_LE(w, last);
      sum += last = w;
    }
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

} // namespace
} // namespace skincells::field

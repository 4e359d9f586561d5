#include "studies/methods.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/shapes.h"

namespace skincells::studies {
namespace {

StudyResult mustRun(const StudyOptions& options) {
  auto result = runVariant(test::tubeCharacter(), options);
  EXPECT_TRUE(result) << result.error().text();
  return result ? *std::move(result) : StudyResult{};
}

TEST(RunVariant, EveryVariantGivesValidRows) {
  for (Variant variant : {Variant::Product, Variant::Paper, Variant::Bones, Variant::Guessed, Variant::Falloff,
                          Variant::SparseFalloff, Variant::Vertex}) {
    const StudyResult r = mustRun({.variant = variant, .max_influences = 2, .steps = 20});
    const WeightStatistics s = weightStatistics(r.weights, 4);
    EXPECT_EQ(s.unweighted_vertices, 0U);
    EXPECT_LE(s.max_influences, 2);
    EXPECT_EQ(r.losses.loss.size(), 20U);
    EXPECT_EQ(r.field.has_value(), variant != Variant::Vertex);
  }
}

TEST(RunVariant, PaperHardlyMovesInTwentySteps) {
  // 20 steps of 1e-3 from r = 1, t = 1.
  StudyResult r = mustRun({.variant = Variant::Paper, .steps = 20});
  ASSERT_TRUE(r.field);
  for (float log_falloff : r.field->logFalloffs()) EXPECT_LE(std::fabs(log_falloff), 0.03F);
  for (float log_offset : r.field->logOffsets()) EXPECT_LE(std::fabs(log_offset), 0.03F);
}

TEST(RunVariant, FalloffMovesNothingElse) {
  StudyResult one = mustRun({.variant = Variant::Falloff, .max_influences = 2, .steps = 1});
  StudyResult many = mustRun({.variant = Variant::Falloff, .max_influences = 2, .steps = 40});
  EXPECT_TRUE(std::ranges::equal(one.field->centers(), many.field->centers()));
  EXPECT_TRUE(std::ranges::equal(one.field->shapes(), many.field->shapes()));
  EXPECT_TRUE(std::ranges::equal(one.field->logSlacks(), many.field->logSlacks()));
  EXPECT_FALSE(std::ranges::equal(one.field->logFalloffs(), many.field->logFalloffs()));
}

TEST(RunVariant, VertexLowersTheHeldOutLoss) {
  const StudyResult r = mustRun({.variant = Variant::Vertex});
  ASSERT_GE(r.losses.held_out.size(), 2U);
  EXPECT_LT(r.losses.held_out.back().loss, r.losses.held_out.front().loss);
}

TEST(RunVariant, ProductIsWhatBindDoes) {
  const auto bound = bind(test::tubeCharacter(), {});
  ASSERT_TRUE(bound);
  const StudyResult same = mustRun({}), fewer = mustRun({.steps = 5});
  EXPECT_EQ(same.weights.weights, bound->weights.weights);
  EXPECT_EQ(same.weights.joints, bound->weights.joints);
  EXPECT_NE(fewer.weights.weights, bound->weights.weights);
  EXPECT_EQ(fewer.losses.loss.size(), 5U);
}

TEST(RunVariant, RefusesBadOptions) {
  const auto r = runVariant(test::tubeCharacter(), {.max_influences = 0});
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().where, "--max-influences");
}

} // namespace
} // namespace skincells::studies

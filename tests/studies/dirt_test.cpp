// Dirt that should not change the answer does not: the short form of docs/robustness.md.
#include "studies/dirt.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "skincells/bind.h"
#include "support/shapes.h"
#include "support/torture.h"
#include "weights/rows_edit.h"

namespace skincells::studies {
namespace {

TEST(Dirt, ChangesNoMethodByMuch) {
  for (BindMethod method : {BindMethod::SkinCells, BindMethod::Heat, BindMethod::Proximity}) {
    BindOptions options;
    options.method = method;
    options.quality = BindQuality::Draft;
    options.joints = "all";
    const Character clean = test::tubeCharacter();
    const auto reference = bind(clean, options);
    ASSERT_TRUE(reference);
    for (const Dirt& dirt : dirts()) {
      SCOPED_TRACE(dirt.name);
      Character dirty = clean;
      const std::vector<std::uint32_t> same = dirt.apply(dirty);
      ASSERT_EQ(same.size(), clean.mesh.positions.size());
      const auto result = bind(dirty, options);
      ASSERT_TRUE(result) << result.error().text();
      test::expectSound(dirty, result->weights, options.max_influences);
      double sum = 0;
      for (std::size_t v = 0; v < same.size(); ++v)
        sum += weights::halfL1(weights::rowOf(reference->weights, v), weights::rowOf(result->weights, same[v]));
      EXPECT_LE(sum / static_cast<double>(same.size()), 0.05);
    }
  }
}

// Rounding is not amplified, and orders do not matter at all.
TEST(Dirt, OfRoundingAndOrderIsNotSeen) {
  const Character clean = test::tubeCharacter();
  const auto reference = bind(clean, {.joints = "all"});
  ASSERT_TRUE(reference);
  const auto apart = [&](const std::string& name) {
    const auto dirt = std::ranges::find(dirts(), name, &Dirt::name);
    EXPECT_NE(dirt, dirts().end()) << name;
    Character dirty = clean;
    const std::vector<std::uint32_t> same = dirt->apply(dirty);
    const auto result = bind(dirty, {.joints = "all"});
    EXPECT_TRUE(result);
    double sum = 0;
    for (std::size_t v = 0; v < same.size(); ++v)
      sum += weights::halfL1(weights::rowOf(reference->weights, v), weights::rowOf(result->weights, same[v]));
    return sum / static_cast<double>(same.size());
  };
  EXPECT_EQ(apart("vertices in another order"), 0);
  EXPECT_EQ(apart("triangles in another order"), 0);
  EXPECT_EQ(apart("every corner its own vertex"), 0);
  EXPECT_EQ(apart("every triangle twice"), 0);
  EXPECT_LE(apart("last bit of every coordinate"), 0.005);
}

} // namespace
} // namespace skincells::studies

#include "field/initialize.h"

#include <cmath>

#include <gtest/gtest.h>

namespace skincells::field {
namespace {

Vec3d centerOf(FieldParameters& f, std::size_t site) {
  return {f.centers()[3 * site], f.centers()[3 * site + 1], f.centers()[3 * site + 2]};
}

TEST(InitializeField, OneBoneGetsItsSitesEvenlyAlongIt) {
  const BoneSegment bone{0, {0, 0, 0}, {1, 0, 0}};
  FieldParameters f = initializeField(std::vector{bone}, {1, 4, FieldShape::ScaleRotation}, 4, 1);
  for (std::size_t s = 0; s < 4; ++s)
    EXPECT_NEAR(length(centerOf(f, s) - Vec3d{0.125 + 0.25 * static_cast<double>(s), 0, 0}), 0, 1e-6);
}

TEST(InitializeField, SeveralBonesGetSitesInTheirHull) {
  const std::vector<BoneSegment> bones = {
      {0, {0, 0, 0}, {1, 0, 0}}, {0, {0, 0, 0}, {0, 1, 0}}, {1, {2, 2, 2}, {2, 2, 2}}};
  FieldParameters f = initializeField(bones, {2, 6, FieldShape::Triangular}, 4, 1);
  for (std::size_t s = 0; s < 6; ++s) {
    const Vec3d p = centerOf(f, s);
    EXPECT_TRUE(p.x > 0 && p.y > 0 && p.x + p.y < 1 && p.z == 0);
    EXPECT_EQ(centerOf(f, 6 + s), (Vec3d{2, 2, 2})); // a point
  }
}

TEST(InitializeField, InitialValuesAreTheDocumentedOnes) {
  const std::vector<BoneSegment> bones = {{0, {0, 0, 0}, {1, 0, 0}}};
  for (FieldShape shape : {FieldShape::ScaleRotation, FieldShape::Triangular}) {
    FieldParameters f = initializeField(bones, {1, 2, shape}, 4, 1);
    EXPECT_NEAR(std::exp(f.logOffsets()[1]), 0.01, 1e-6);
    EXPECT_NEAR(std::exp(f.logFalloffs()[0]), 3, 1e-5);
    EXPECT_NEAR(std::exp(f.logSlacks()[0]), 0.003, 1e-6);
    float sum = 0;
    for (float v : f.shapes()) sum += std::abs(v);
    EXPECT_EQ(sum, shape == FieldShape::Triangular ? 0 : 2); // log 1 everywhere, except for w of each quaternion
  }
}

TEST(InitializeField, DependsOnTheSeedButNotOnOtherJoints) {
  const BoneSegment a{0, {0, 0, 0}, {1, 0, 0}}, b{0, {0, 0, 0}, {0, 1, 0}}, other{1, {2, 2, 2}, {3, 3, 3}};
  const FieldLayout one{1, 4, FieldShape::Triangular}, two{2, 4, FieldShape::Triangular};
  EXPECT_EQ(initializeField(std::vector{a, b}, one, 4, 7).values, initializeField(std::vector{a, b}, one, 4, 7).values);
  EXPECT_NE(initializeField(std::vector{a, b}, one, 4, 7).values, initializeField(std::vector{a, b}, one, 4, 8).values);
  FieldParameters alone = initializeField(std::vector{a, b}, one, 4, 7);
  FieldParameters with_other = initializeField(std::vector{other, a, b}, two, 4, 7);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(alone.centers()[i], with_other.centers()[i]);
}

} // namespace
} // namespace skincells::field

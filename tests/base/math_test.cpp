#include <gtest/gtest.h>

#include "base/random.h"
#include "skincells/math.h"

namespace skincells {
namespace {

Affine randomAffine(Random& random) {
  return Affine::fromTranslation({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}) *
         Affine::fromTrs({1, 2, 3}, {random.uniform(), random.uniform(), random.uniform(), random.uniform()},
                         {random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2)});
}

TEST(Affine, InverseUndoes) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const Affine a = randomAffine(random);
    const Vec3d p{random.uniform(), random.uniform(), random.uniform()};
    EXPECT_NEAR(length(a.inverse().apply(a.apply(p)) - p), 0, 1e-12);
    EXPECT_NEAR(length((a * a.inverse()).apply(p) - p), 0, 1e-12);
  }
}

TEST(Affine, ProductAppliesTheRightOneFirst) {
  Random random(2);
  const Affine a = randomAffine(random), b = randomAffine(random);
  const Vec3d p{0.3, -0.2, 0.9};
  EXPECT_NEAR(length((a * b).apply(p) - a.apply(b.apply(p))), 0, 1e-12);
}

TEST(Affine, RotationIsCounterClockwise) {
  const Vec3d p = Affine::rotation({0, 0, 2}, M_PI / 2).apply({1, 0, 0});
  EXPECT_NEAR(length(p - Vec3d{0, 1, 0}), 0, 1e-15);
}

TEST(Random, SameSeedSameNumbersOnEveryPlatform) {
  Random a(42), b(42), c(43);
  EXPECT_EQ(a.nextBits(), b.nextBits());
  EXPECT_NE(a.nextBits(), c.nextBits());
  double mean = 0;
  for (int i = 0; i < 10000; ++i) mean += a.uniform() / 10000;
  EXPECT_NEAR(mean, 0.5, 0.02);
  for (int i = 0; i < 100; ++i) EXPECT_NEAR(length(a.direction()), 1, 1e-12);
}

} // namespace
} // namespace skincells

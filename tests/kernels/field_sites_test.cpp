// What happens to sites once per step, in Highway against the scalar definitions, for every instruction set.
#include "kernels/field_sites.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/site_shape.h"
#include "support/targets.h"

namespace skincells::kernels {
namespace {

constexpr FieldShape kShapes[] = {FieldShape::ScaleRotation, FieldShape::Triangular};

std::vector<float> randomStored(Random& random, double spread) {
  std::vector<float> out(kStoredNumbers * kJointGroup);
  for (float& v : out) v = static_cast<float>(random.uniform(-spread, spread));
  return out;
}

struct Compiled {
  std::vector<float> form, shape, offset, spread;

  Compiled()
      : form(kSiteColumns * kJointGroup), shape(kShapeNumbers * kJointGroup), offset(kJointGroup),
        spread(kJointGroup, 0.5F) {}
  SiteColumns view(const std::vector<float>& stored) {
    return {stored.data(), form.data(), shape.data(), offset.data(), spread.data()};
  }
};

void expectNear(const std::vector<float>& fast, const std::vector<float>& slow, float tolerance) {
  ASSERT_EQ(fast.size(), slow.size());
  for (std::size_t i = 0; i < fast.size(); ++i)
    EXPECT_NEAR(fast[i], slow[i], tolerance * (1 + std::abs(slow[i]))) << "number " << i / kJointGroup;
}

TEST(CompileSites, EveryTargetAgreesWithTheDefinition) {
  test::forEachTarget([] {
    Random random(21);
    for (FieldShape shape : kShapes)
      for (double spread : {0.5, 2.0}) {
        const std::vector<float> stored = randomStored(random, spread);
        Compiled fast, slow;
        compileSites(shape, fast.view(stored));
        scalar::compileSites(shape, slow.view(stored));
        expectNear(fast.form, slow.form, 2e-5F);
        expectNear(fast.shape, slow.shape, 1e-5F);
        expectNear(fast.offset, slow.offset, 1e-5F);
        expectNear(fast.spread, slow.spread, 1e-5F);
      }
  });
}

// |L x + b| = |F (x - p)| in float64, also for shapes that are a thousand times longer than wide.
TEST(CompileSites, KeepDistances) {
  test::forEachTarget([] {
    Random random(22);
    for (int round = 0; round < 40; ++round) {
      std::vector<float> stored = randomStored(random, 1);
      for (std::size_t i = 0; i < kJointGroup; ++i) stored[(kStoredShape + round % 3) * kJointGroup + i] = 7;
      Compiled compiled;
      compileSites(FieldShape::ScaleRotation, compiled.view(stored));
      for (std::size_t i = 0; i < kJointGroup; ++i) {
        double numbers[kStoredNumbers];
        for (std::size_t c = 0; c < kStoredNumbers; ++c) numbers[c] = stored[c * kJointGroup + i];
        const auto form = [&](std::size_t c) { return double{compiled.form[c * kJointGroup + i]}; };
        const Vec3d x{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        const Vec3d y = shapeMatrix(FieldShape::ScaleRotation, numbers + kStoredShape) *
                        (x - Vec3d{numbers[0], numbers[1], numbers[2]});
        const Vec3d z{form(0) * x.x + form(6), form(1) * x.x + form(2) * x.y + form(7),
                      form(3) * x.x + form(4) * x.y + form(5) * x.z + form(8)};
        EXPECT_NEAR(length(z), length(y), 2e-6 * double{compiled.spread[i]});
      }
    }
  });
}

TEST(CompileSites, ClampWhatFloatsCannotHold) {
  test::forEachTarget([] {
    for (FieldShape shape : kShapes)
      for (float value : {-1e30F, 1e30F, 0.0F}) {
        const std::vector<float> stored(kStoredNumbers * kJointGroup, value);
        Compiled compiled;
        compileSites(shape, compiled.view(stored));
        for (float t : compiled.offset) {
          EXPECT_GT(t, 0.0F);
          EXPECT_LT(t, 200.0F);
        }
        for (float v : compiled.form) EXPECT_TRUE(value != 0 || std::isfinite(v));
      }
  });
}

TEST(SiteGradients, EveryTargetAgreesWithTheDefinition) {
  test::forEachTarget([] {
    Random random(23);
    for (FieldShape shape : kShapes) {
      const std::vector<float> stored = randomStored(random, 1);
      Compiled compiled;
      scalar::compileSites(shape, compiled.view(stored));
      std::vector<float> sums(kSiteSums * kJointGroup), fast(kStoredNumbers * kJointGroup), slow = fast;
      for (float& v : sums) v = static_cast<float>(random.uniform(-1, 1));
      siteGradients(shape, stored.data(), compiled.shape.data(), sums.data(), fast.data());
      scalar::siteGradients(shape, stored.data(), compiled.shape.data(), sums.data(), slow.data());
      expectNear(fast, slow, 1e-4F);
    }
  });
}

} // namespace
} // namespace skincells::kernels

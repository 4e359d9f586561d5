// Splats, normals and spherical harmonics under linear maps.
#include "deform/splat.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "base/random.h"
#include "deform/harmonics.h"

namespace skincells::deform {
namespace {

constexpr double kPi = std::numbers::pi;

Columns randomRotation(Random& random) {
  return linearPart(Affine::rotation(random.direction(), random.uniform(0, 3)));
}

Columns randomMatrix(Random& random) {
  Columns out;
  for (Vec3d& c : out) c = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  return out;
}

double determinant(const Columns& a) {
  return dot(a[0], cross(a[1], a[2]));
}

void expectNear(const Columns& a, const Columns& b, double tolerance) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(length(a[i] - b[i]), tolerance) << i;
}

void expectRotation(const Columns& r) {
  expectNear(r * transposed(r), {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}, 1e-12);
  EXPECT_GT(determinant(r), 0);
}

Columns covariance(const Ellipsoid& e) {
  Columns a = e.axes;
  for (std::size_t i = 0; i < 3; ++i) a[i] *= e.scale[i];
  return a * transposed(a);
}

TEST(Splat, TheImageOfAnEllipsoidIsExact) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const Ellipsoid e{randomRotation(random),
                      {std::exp(random.uniform(-6, 0)), std::exp(random.uniform(-6, 0)), random.uniform(0.1, 1)}};
    const Columns m = randomMatrix(random);
    const Ellipsoid posed = transformed(e, m);
    expectRotation(posed.axes);
    expectNear(covariance(posed), m * covariance(e) * transposed(m), 1e-13);
  }
}

TEST(Splat, ARotationRotatesTheAxesAndKeepsTheScales) {
  Random random(2);
  for (int round = 0; round < 100; ++round) {
    const Ellipsoid e{randomRotation(random), {1e-4, 0.5, 0.02}};
    const Columns r = randomRotation(random);
    const Ellipsoid posed = transformed(e, r);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(posed.scale[i], e.scale[i], 1e-14);
    expectNear(posed.axes, r * e.axes, 1e-9);
  }
}

TEST(Splat, FlatSplatsAndCollapsingMapsGiveValidEllipsoids) {
  const Columns identity{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};
  const Ellipsoid flat{identity, {0, 0.5, 0.25}};
  const Columns squash{Vec3d{1, 0, 0}, Vec3d{1, 0, 0}, Vec3d{0, 0, 0}}, zero{};
  for (const Columns& m : {identity, squash, zero}) {
    const Ellipsoid posed = transformed(flat, m);
    expectRotation(posed.axes);
    for (const double s : posed.scale) EXPECT_TRUE(std::isfinite(s));
    expectRotation(nearestRotation(m));
  }
}

TEST(Splat, TheNearestRotationIsThatOfThePolarDecomposition) {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    const Columns r = randomRotation(random), axes = randomRotation(random);
    Columns stretch = axes;
    for (Vec3d& c : stretch) c *= random.uniform(0.2, 3);
    stretch = stretch * transposed(axes); // symmetric and positive
    expectNear(nearestRotation(r * stretch), r, 1e-9);
    expectRotation(nearestRotation(randomMatrix(random))); // reflections too
  }
}

TEST(Splat, QuaternionsAndRotationsMatch) {
  Random random(4);
  for (int round = 0; round < 300; ++round) {
    const Columns r = linearPart(Affine::rotation(random.direction(), random.uniform(-6.3, 6.3)));
    auto q = quaternionOf(r);
    EXPECT_GE(q[0], 0);
    expectNear(rotationOf(q), r, 1e-12);
    for (double& c : q) c *= 17;
    expectNear(rotationOf(q), r, 1e-12); // of any length
  }
  expectRotation(rotationOf({0, 0, 0, 0}));
}

TEST(Splat, NormalsStayPerpendicularToTheirSurface) {
  Random random(5);
  for (int round = 0; round < 100; ++round) {
    const Columns m = randomMatrix(random);
    const Vec3d a = random.direction(), b = random.direction(), normal = cross(a, b);
    const Vec3d posed = transformedNormal(normal, m);
    EXPECT_NEAR(dot(posed, apply(m, a)), 0, 1e-12);
    EXPECT_NEAR(dot(posed, apply(m, b)), 0, 1e-12);
    EXPECT_NEAR(length(posed), length(normal), 1e-12);
    EXPECT_GT(dot(posed, cross(apply(m, a), apply(m, b))), 0);
  }
  EXPECT_EQ(transformedNormal({}, randomMatrix(random)), Vec3d{}); // splat files contain zero normals
}

TEST(Splat, TheBlendOfOneJointIsThatJoint) {
  Random random(6);
  const Pose pose{Affine{}, Affine::rotation({0, 1, 0}, 1), Affine::fromTranslation({1, 2, 3})};
  const std::uint16_t joints[3] = {2, 1, 9};
  const float one[3] = {1, 0, 0}, two[3] = {0.25F, 0.75F, 0};
  EXPECT_EQ(blend(joints, one, pose), pose[2]);
  const Vec3d p{0.3, 0.2, 0.1}, expected = pose[2].apply(p) * 0.25 + pose[1].apply(p) * 0.75;
  EXPECT_LT(length(blend(joints, two, pose).apply(p) - expected), 1e-14);
}

// Holds only if every factor is right.
TEST(Harmonics, AreOrthonormal) {
  constexpr int kCount = 16;
  double sums[kCount][kCount] = {};
  constexpr int kRings = 64, kSides = 64;
  for (int r = 0; r < kRings; ++r)
    for (int s = 0; s < kSides; ++s) {
      const double theta = kPi * (r + 0.5) / kRings, phi = 2 * kPi * s / kSides;
      const double area = 2 * kPi / kSides * (std::cos(kPi * r / kRings) - std::cos(kPi * (r + 1) / kRings));
      double y[kCount];
      harmonics(3, {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)}, y);
      for (int i = 0; i < kCount; ++i)
        for (int j = 0; j < kCount; ++j) sums[i][j] += area * y[i] * y[j];
    }
  for (int i = 0; i < kCount; ++i)
    for (int j = 0; j < kCount; ++j) EXPECT_NEAR(sums[i][j], i == j ? 1 : 0, 2e-3) << i << " " << j;
}

// A rotated function has the same value in the rotated direction.
TEST(Harmonics, RotatedFunctionsMatchRotatedDirections) {
  Random random(7);
  for (int degree = 0; degree <= 3; ++degree)
    for (int round = 0; round < 50; ++round) {
      const auto count = static_cast<std::size_t>((degree + 1) * (degree + 1));
      std::vector<double> coefficients(count), y(count), y_turned(count);
      for (double& c : coefficients) c = random.uniform(-1, 1);
      std::vector<double> turned = coefficients;
      const Columns r = randomRotation(random);
      HarmonicsRotation(r, degree).apply(std::span(turned).subspan(1));
      const Vec3d d = random.direction();
      harmonics(degree, d, y);
      harmonics(degree, apply(r, d), y_turned);
      double before = 0, after = 0;
      for (std::size_t i = 0; i < count; ++i) before += coefficients[i] * y[i], after += turned[i] * y_turned[i];
      EXPECT_NEAR(before, after, 1e-12) << "degree " << degree;
    }
}

TEST(Harmonics, TwoRotationsComposeToOne) {
  Random random(8);
  const Columns a = randomRotation(random), b = randomRotation(random);
  std::vector<double> twice(15), once(15);
  for (std::size_t i = 0; i < 15; ++i) twice[i] = once[i] = random.uniform(-1, 1);
  HarmonicsRotation(a, 3).apply(twice);
  HarmonicsRotation(b, 3).apply(twice);
  HarmonicsRotation(b * a, 3).apply(once);
  for (std::size_t i = 0; i < 15; ++i) EXPECT_NEAR(twice[i], once[i], 1e-12);
}

} // namespace
} // namespace skincells::deform

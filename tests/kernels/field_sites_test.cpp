// Every implementation of the loops over sites, against the definition of a site's shape in float64.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "kernels/site_shape.h"
#include "support/gradient_check.h"
#include "support/targets.h"

namespace skincells::kernels {
namespace {

std::vector<float> randomStored(Random& random, double spread) {
  std::vector<float> out(kStoredNumbers * kJointGroup);
  for (float& v : out) v = static_cast<float>(random.uniform(-spread, spread));
  return out;
}

// The numbers of joint i of the group.
std::vector<double> column(const std::vector<float>& from, std::size_t i) {
  std::vector<double> out;
  for (std::size_t at = i; at < from.size(); at += kJointGroup) out.push_back(from[at]);
  return out;
}

Matrix3<double> shapeOf(bool triangular, const double* stored) {
  return triangular ? triangularShape(stored + kStoredShape) : scaleRotationShape(stored + kStoredShape);
}

struct Compiled {
  std::vector<float> form, shape, offset, spread;

  Compiled(const Kernels& run, bool triangular, const std::vector<float>& stored)
      : form(kSiteColumns * kJointGroup), shape(kShapeNumbers * kJointGroup), offset(kJointGroup),
        spread(kJointGroup, 0.5F) {
    run.compileSites({.triangular = triangular,
                      .stored = stored.data(),
                      .form = form.data(),
                      .shape = shape.data(),
                      .offset = offset.data(),
                      .spread = spread.data()});
  }
  // |L x + b| of joint i of the group.
  double distance(std::size_t i, const Vec3d& x) const {
    const std::vector<double> f = column(form, i);
    return length(
        Vec3d{f[0] * x.x + f[6], f[1] * x.x + f[2] * x.y + f[7], f[3] * x.x + f[4] * x.y + f[5] * x.z + f[8]});
  }
};

TEST(CompileSites, EveryTargetFollowsTheDefinitions) {
  test::forEachTarget([](const Kernels& run) {
    Random random(21);
    for (bool triangular : {false, true})
      for (double range : {0.5, 2.0}) {
        const std::vector<float> all = randomStored(random, range);
        const Compiled compiled(run, triangular, all);
        for (std::size_t i = 0; i < kJointGroup; ++i) {
          const std::vector<double> stored = column(all, i), shape = column(compiled.shape, i);
          const std::vector<double> form = column(compiled.form, i);
          const Matrix3<double> f = shapeOf(triangular, stored.data());
          const auto close = [](double found, double expected) {
            EXPECT_NEAR(found, expected, 2e-5 * (1 + std::abs(expected)));
          };
          for (std::size_t c = 0; c < 9; ++c) close(shape[c], f.m[c / 3][c % 3]);
          for (std::size_t c = 0; c < 3; ++c)
            close(shape[kShapeScale + c], triangular ? 1 : std::exp(stored[kStoredShape + c]));
          const double t = std::exp(stored[kStoredOffset]);
          close(compiled.offset[i], t);
          close(form[9], t * t);
          close(form[10], 0.25 / (t * t));
        }
      }
  });
}

// |L x + b| = |F (x - p)|, also for shapes that are a thousand times longer than wide; and no distance changes by more
// than `spread` per unit length.
TEST(CompileSites, KeepDistances) {
  test::forEachTarget([](const Kernels& run) {
    Random random(22);
    for (bool triangular : {false, true})
      for (int round = 0; round < 40; ++round) {
        std::vector<float> all = randomStored(random, 1);
        if (!triangular)
          for (std::size_t i = 0; i < kJointGroup; ++i) all[(kStoredShape + round % 3) * kJointGroup + i] = 7;
        const Compiled compiled(run, triangular, all);
        for (std::size_t i = 0; i < kJointGroup; ++i) {
          const std::vector<double> stored = column(all, i);
          const Vec3d x{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
          const Vec3d from_center = x - Vec3d{stored[0], stored[1], stored[2]};
          const Vec3d y = shapeOf(triangular, stored.data()) * from_center;
          const double spread = compiled.spread[i];
          EXPECT_NEAR(compiled.distance(i, x), length(y), 2e-6 * spread);
          EXPECT_LE(length(y), spread * length(from_center));
          EXPECT_GE(spread, 0.5); // it is only raised
        }
      }
  });
}

TEST(CompileSites, ClampNumbersThatWouldOverflow) {
  test::forEachTarget([](const Kernels& run) {
    for (bool triangular : {false, true})
      for (float value : {-1e30F, 1e30F, 0.0F}) {
        const std::vector<float> stored(kStoredNumbers * kJointGroup, value);
        const Compiled compiled(run, triangular, stored);
        for (float t : compiled.offset) {
          EXPECT_GT(t, 0.0F);
          EXPECT_LT(t, 200.0F);
        }
        for (float v : compiled.form) EXPECT_TRUE(value != 0 || std::isfinite(v));
      }
  });
}

// Some points x with factors g, and the loss sum of g |F (x - p)|^2 / 2 + (sum of log t).
struct Points {
  std::vector<Vec3d> x;
  std::vector<double> g;

  explicit Points(Random& random) {
    for (int i = 0; i < 5; ++i) {
      x.push_back({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
      g.push_back(random.uniform(-1, 1));
    }
  }
  double loss(bool triangular, const std::vector<double>& stored) const {
    const Matrix3<double> f = shapeOf(triangular, stored.data());
    double sum = stored[kStoredOffset];
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vec3d y = f * (x[i] - Vec3d{stored[0], stored[1], stored[2]});
      sum += g[i] * dot(y, y) / 2;
    }
    return sum;
  }
  // Its sums (see kSiteSums), as number i of each column.
  void addSums(const std::vector<double>& stored, std::size_t joint, std::vector<float>& to) const {
    double sums[kSiteSums] = {0, 0, 0, 1};
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vec3d u = x[i] - Vec3d{stored[0], stored[1], stored[2]};
      const double terms[] = {u.x, u.y, u.z, 0, u.x * u.x, u.x * u.y, u.x * u.z, u.y * u.y, u.y * u.z, u.z * u.z};
      for (std::size_t c = 0; c < std::size(terms); ++c) sums[c] += g[i] * terms[c];
    }
    for (std::size_t c = 0; c < kSiteSums; ++c) to[c * kJointGroup + joint] = static_cast<float>(sums[c]);
  }
};

TEST(SiteGradients, EveryTargetAgreesWithDifferences) {
  test::forEachTarget([](const Kernels& run) {
    Random random(23);
    const Points points(random);
    for (bool triangular : {false, true}) {
      const std::vector<float> stored = randomStored(random, 1);
      const Compiled compiled(run, triangular, stored);
      std::vector<float> sums(kSiteSums * kJointGroup), gradient(kStoredNumbers * kJointGroup);
      for (std::size_t i = 0; i < kJointGroup; ++i) points.addSums(column(stored, i), i, sums);
      run.siteGradients({.triangular = triangular,
                         .stored = stored.data(),
                         .shape = compiled.shape.data(),
                         .sums = sums.data(),
                         .gradient = gradient.data()});
      for (std::size_t i = 0; i < kJointGroup; ++i)
        test::checkGradient([&](const std::vector<double>& at) { return points.loss(triangular, at); },
                            column(stored, i), column(gradient, i), 1e-5, 1e-4);
    }
  });
}

} // namespace
} // namespace skincells::kernels

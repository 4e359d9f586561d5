#include "loss/collision.h"

#include <cmath>

#include <gtest/gtest.h>

#include "loss/pose_losses.h"
#include "skincells/threads.h"
#include "support/gradient_check.h"
#include "support/shapes.h"

namespace skincells::loss {
namespace {

// A sleeve around a tube: both follow the same chain of joints, with different weights.
template <class T> struct Sleeve {
  Character body = test::tubeCharacter(4);
  Mesh cloth;
  std::vector<Vec3<T>> rest;
  weights::WeightRowsOf<T> rows;
  Obstacle obstacle;
  deform::PoseQuads<T> poses;

  explicit Sleeve(int rings = 7) : cloth(test::tube(3, 0.5, rings, 10)) {
    for (const Vec3f& p : cloth.positions) {
      rest.push_back({static_cast<T>(p.x), static_cast<T>(p.y) + T(0.4), static_cast<T>(p.z)});
      rows.first.push_back(static_cast<std::uint32_t>(rows.weight.size()));
      rows.count.push_back(2);
      const T upper = static_cast<T>(0.5 + 0.6 * p.x);
      rows.joint.insert(rows.joint.end(), {1, 2});
      rows.weight.insert(rows.weight.end(), {T(1) - upper, upper});
    }
    obstacle = {body.mesh, SparseWeights(body.mesh.positions.size(), 1), 0.08, 2};
    for (std::size_t v = 0; v < body.mesh.positions.size(); ++v) {
      obstacle.weights.joints[v] = static_cast<std::uint16_t>(std::min(3.0F, std::max(0.0F, body.mesh.positions[v].y)));
      obstacle.weights.weights[v] = 1;
    }
    poses = deform::makePoseQuads<T>(randomPoses(body.skeleton, {.count = 5, .max_angle = 50, .seed = 2}), {}, 1.0);
  }
  PoseLosses<T> losses(bool collides = true) const {
    PoseLosses<T> out(rest, cloth.triangles, {}, 2);
    if (collides) out.setObstacle(obstacle);
    return out;
  }
};

TEST(Collision, DerivativeAgreesWithDifferences) {
  const Sleeve<double> sleeve;
  PoseLosses<double> losses = sleeve.losses();
  const LossWeights only{0, 0, 0, 1};
  std::vector<double> gradient, ignored;
  EXPECT_GT(losses.evaluate(sleeve.rows, sleeve.poses, only, gradient).collision, 0);
  const auto value = [&](const std::vector<double>& at) {
    auto rows = sleeve.rows;
    rows.weight = at;
    return losses.evaluate(rows, sleeve.poses, only, ignored).total();
  };
  test::checkGradient(value, sleeve.rows.weight, gradient, 1e-6, 1e-4, 3);
}

// As legs that cross inside a tight skirt, in one pose of many.
TEST(Collision, PosesThatNoWeightsCanSolveDoNotOutweighTheOthers) {
  const auto value = [](double angle) {
    Sleeve<double> sleeve;
    sleeve.poses = deform::makePoseQuads<double>(
        randomPoses(sleeve.body.skeleton, {.count = 8, .max_angle = angle, .seed = 2}), {}, 1.0);
    std::vector<double> gradient;
    return sleeve.losses().evaluate(sleeve.rows, sleeve.poses, {0, 0, 0, 1}, gradient).collision;
  };
  const double mild = value(25), severe = value(90);
  EXPECT_GT(severe, mild);
  EXPECT_LT(severe, 3 * mild);
}

TEST(Collision, ScalesWithItsWeightAndWithoutOneChangesNothing) {
  const Sleeve<float> sleeve;
  PoseLosses<float> with = sleeve.losses(), without = sleeve.losses(false);
  std::vector<float> a, b;
  const double once = with.evaluate(sleeve.rows, sleeve.poses, {0, 0, 0, 1}, a).collision;
  EXPECT_NEAR(with.evaluate(sleeve.rows, sleeve.poses, {0, 0, 0, 3}, a).collision / once, 3, 1e-5);
  EXPECT_EQ(with.evaluate(sleeve.rows, sleeve.poses, {}, a).total(),
            without.evaluate(sleeve.rows, sleeve.poses, {}, b).total());
  EXPECT_EQ(a, b);
}

TEST(Stretch, DerivativeAgreesWithDifferences) {
  const Sleeve<double> sleeve;
  PoseLosses<double> losses = sleeve.losses();
  const LossWeights only{0, 0, 0, 0, 1};
  std::vector<double> gradient, ignored;
  EXPECT_GT(losses.evaluate(sleeve.rows, sleeve.poses, only, gradient).stretch, 0);
  const auto value = [&](const std::vector<double>& at) {
    auto rows = sleeve.rows;
    rows.weight = at;
    return losses.evaluate(rows, sleeve.poses, only, ignored).total();
  };
  test::checkGradient(value, sleeve.rows.weight, gradient, 1e-6, 1e-4, 3);
}

TEST(Stretch, IsZeroForClothThatMovesAsOnePieceAndCountsTheFewLongEdges) {
  Sleeve<double> sleeve;
  const LossWeights only{0, 0, 0, 0, 1};
  std::vector<double> gradient;
  const double bent = sleeve.losses().evaluate(sleeve.rows, sleeve.poses, only, gradient).total();
  for (auto& j : sleeve.rows.joint) j = 2; // the rows sum to one
  EXPECT_NEAR(sleeve.losses().evaluate(sleeve.rows, sleeve.poses, only, gradient).total(), 0, 1e-12);
  // l^2 ln(2)^4 for each of the edges across, all as long as they were.
  const std::vector<Vec3<double>> rest{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}};
  const std::vector<Triangle> triangles{{0, 1, 2}, {0, 3, 2}}; // the edge from 0 to 3 has no length
  const Stretch<double> cloth(rest, triangles);
  std::vector<double> posed(4 * kernels::kQuadVector, 0.0), posed_gradient(posed.size(), 0.0);
  for (std::size_t v = 0; v < 4; ++v)
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t lane = 0; lane < kernels::kQuad; ++lane)
        posed[v * kernels::kQuadVector + axis * kernels::kQuad + lane] = (axis == 0   ? rest[v].x
                                                                          : axis == 1 ? rest[v].y
                                                                                      : rest[v].z) *
                                                                         (lane == 1 ? 2 : 1);
  const kernels::QuadRange<double> range{
      .begin = 0, .end = 4, .posed = posed.data(), .posed_gradient = posed_gradient.data()};
  const double lanes[] = {1, 1, 1, 0};
  EXPECT_NEAR(cloth.add(range, lanes), (1 + 1 + 1 + 2) * std::pow(std::log(2.0), 4), 1e-12);
  EXPECT_GT(bent, 0);
}

TEST(Stretch, WithoutAWeightChangesNothing) {
  const Sleeve<float> sleeve;
  std::vector<float> a, b;
  EXPECT_EQ(sleeve.losses().evaluate(sleeve.rows, sleeve.poses, {1, 60, 1, 2}, a).total(),
            sleeve.losses().evaluate(sleeve.rows, sleeve.poses, {1, 60, 1, 2, 0}, b).total());
  EXPECT_EQ(a, b);
  Stretch<float> nothing;
  EXPECT_TRUE(nothing.empty());
}

TEST(Collision, WhatIsInsideAtRestMayStay) {
  Sleeve<double> sleeve;
  for (auto& p : sleeve.rest) { // narrower than the body: all of it is inside
    p.x *= 0.4;
    p.z *= 0.4;
  }
  for (auto& j : sleeve.rows.joint) j = 1; // sleeve and body move as one piece
  for (auto& j : sleeve.obstacle.weights.joints) j = 1;
  std::vector<double> gradient;
  EXPECT_NEAR(sleeve.losses().evaluate(sleeve.rows, sleeve.poses, {0, 0, 0, 1}, gradient).total(), 0, 1e-12);
}

TEST(Collision, DenseClothIsSampledAndCountsInFull) {
  const auto value = [](int rings) {
    const Sleeve<double> sleeve(rings);
    std::vector<double> gradient;
    return sleeve.losses().evaluate(sleeve.rows, sleeve.poses, {0, 0, 0, 1}, gradient).collision / rings;
  };
  EXPECT_NEAR(value(400) / value(90), 1, 0.05); // 12,000 points and 2,700
}

TEST(Collision, ThreadsDoNotMatter) {
  const Sleeve<float> sleeve;
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    PoseLosses<float> losses = sleeve.losses();
    std::vector<float> gradient;
    const double value = losses.evaluate(sleeve.rows, sleeve.poses, {1, 0, 1, 2}, gradient).total();
    return std::pair(value, gradient);
  };
  EXPECT_EQ(run(1), run(2));
}

} // namespace
} // namespace skincells::loss

// Each loss: derivative against finite differences, zero at its known optimum, scales with its weight.
#include <gtest/gtest.h>

#include "base/random.h"
#include "kernels/kernels.h"
#include "loss/pose_losses.h"
#include "skincells/threads.h"
#include "support/gradient_check.h"
#include "support/shapes.h"

namespace skincells::loss {
namespace {

template <class T> std::vector<Vec3<T>> positionsOf(const Mesh& mesh) {
  std::vector<Vec3<T>> out;
  for (const Vec3f& p : mesh.positions) out.push_back({static_cast<T>(p.x), static_cast<T>(p.y), static_cast<T>(p.z)});
  return out;
}

// Three to six random joints per vertex, weights that sum to 1.
template <class T> weights::WeightRowsOf<T> randomRows(Random& random, std::size_t vertices, std::uint32_t joints) {
  weights::WeightRowsOf<T> rows;
  for (std::size_t v = 0; v < vertices; ++v) {
    rows.first.push_back(static_cast<std::uint32_t>(rows.weight.size()));
    rows.count.push_back(3 + random.below(4));
    double sum = 0;
    for (std::uint32_t k = 0; k < rows.count.back(); ++k) {
      rows.joint.push_back(static_cast<std::uint16_t>((v + k) % joints));
      rows.weight.push_back(static_cast<T>(random.uniform(0.1, 1)));
      sum += static_cast<double>(rows.weight.back());
    }
    for (std::size_t e = rows.first.back(); e < rows.weight.size(); ++e) rows.weight[e] /= static_cast<T>(sum);
  }
  return rows;
}

template <class T> struct TubeScene {
  Character character = test::tubeCharacter(6);
  std::vector<Vec3<T>> rest = positionsOf<T>(character.mesh);
  std::vector<Spring<T>> springs;
  weights::WeightRowsOf<T> rows;
  deform::PoseQuads<T> poses;

  explicit TubeScene(int pose_count = 5, double angle = 35) {
    Random random(31);
    rows = randomRows<T>(random, rest.size(), 6);
    for (std::uint32_t v = 0; v < rest.size(); v += 2)
      springs.push_back(
          {v, v % 6, {T(0), rest[v].y, T(0)}, static_cast<T>(length(Vec3<T>{rest[v].x, T(0), rest[v].z}))});
    poses = deform::makePoseQuads<T>(
        randomPoses(character.skeleton, {.count = pose_count, .max_angle = angle, .seed = 5}), {0.1, 0.2, 0.3}, 1.0);
  }
  PoseLosses<T> losses(int k = 3) const { return {rest, character.mesh.triangles, springs, k}; }
};

void checkTerm(const LossWeights& weights) {
  TubeScene<double> scene;
  PoseLosses<double> losses = scene.losses();
  std::vector<double> gradient, ignored;
  losses.evaluate(scene.rows, scene.poses, weights, gradient);
  const auto value = [&](const std::vector<double>& at) {
    auto rows = scene.rows;
    rows.weight = at;
    return losses.evaluate(rows, scene.poses, weights, ignored).total();
  };
  test::checkGradient(value, scene.rows.weight, gradient, 1e-6, 1e-6, 7);
}

TEST(Location, DerivativeAgreesWithDifferences) {
  checkTerm({0, 1, 0});
}

TEST(Sparsity, DerivativeAgreesWithDifferences) {
  checkTerm({0, 0, 1});
}

// The derivative of smoothness treats frames as constant, so differences agree only where there is no rest detail to
// rotate.
TEST(Smoothness, DerivativeAgreesWithDifferencesWhereTheFrameDoesNotMatter) {
  TubeScene<double> scene;
  const Mesh grid = test::grid(6, 5); // inside, the rest Laplacian is zero; the border's is not
  Random random(32);
  const auto rest = positionsOf<double>(grid);
  PoseLosses<double> losses(rest, grid.triangles, {}, 3);
  const auto rows = randomRows<double>(random, rest.size(), 6);
  std::vector<double> gradient, ignored;
  const LossWeights weights{1, 0, 0};
  losses.evaluate(rows, scene.poses, weights, gradient);
  // A vertex in the middle affects only itself and its neighbors, which have no rest detail.
  const std::size_t middle = 2 * 7 + 3, first = rows.first[middle];
  for (std::size_t e = first; e < first + rows.count[middle]; ++e) {
    auto above = rows, below = rows;
    above.weight[e] += 1e-6;
    below.weight[e] -= 1e-6;
    const double difference = losses.evaluate(above, scene.poses, weights, ignored).total() -
                              losses.evaluate(below, scene.poses, weights, ignored).total();
    EXPECT_NEAR(difference / 2e-6, gradient[e], 1e-5 * (1 + std::abs(gradient[e])));
  }
}

TEST(PoseLosses, AreZeroInTheRestPoseAndForOneRigidJoint) {
  TubeScene<double> still(4, 0), moving(4, 60);
  std::vector<double> gradient;
  EXPECT_NEAR(still.losses().evaluate(still.rows, still.poses, {}, gradient).total(), 0, 1e-18);
  // With one joint for all vertices, the mesh moves rigidly, and so do springs on that joint.
  for (auto& j : moving.rows.joint) j = 2;
  for (auto& s : moving.springs) s.joint = 2;
  const LossValues values = moving.losses().evaluate(moving.rows, moving.poses, {}, gradient);
  EXPECT_NEAR(values.smoothness, 0, 1e-18);
  EXPECT_NEAR(values.location, 0, 1e-18);
  EXPECT_NEAR(values.sparsity, 0, 1e-18);
}

TEST(PoseLosses, ScaleWithTheirWeights) {
  TubeScene<double> scene;
  PoseLosses<double> losses = scene.losses();
  std::vector<double> once, more;
  const LossValues a = losses.evaluate(scene.rows, scene.poses, {1, 1, 1}, once);
  const LossValues b = losses.evaluate(scene.rows, scene.poses, {2, 3, 5}, more);
  EXPECT_NEAR(b.smoothness / a.smoothness, 2, 1e-12);
  EXPECT_NEAR(b.location / a.location, 3, 1e-12);
  EXPECT_NEAR(b.sparsity / a.sparsity, 5, 1e-12);
}

TEST(PoseLosses, PosesAreAveragedWhateverTheirNumber) {
  const TubeScene<double> three(3);
  const auto poses = randomPoses(three.character.skeleton, {.count = 3, .max_angle = 35, .seed = 5});
  std::vector<Pose> twice = poses;
  twice.insert(twice.end(), poses.begin(), poses.end());
  PoseLosses<double> losses = three.losses();
  std::vector<double> a, b;
  const auto quads = deform::makePoseQuads<double>(twice, {0.1, 0.2, 0.3}, 1);
  const double once = losses.evaluate(three.rows, three.poses, {}, a).total();
  EXPECT_NEAR(losses.evaluate(three.rows, quads, {}, b).total() / once, 1, 1e-12);
  for (std::size_t e = 0; e < a.size(); ++e) EXPECT_NEAR(a[e], b[e], 1e-9 * (1 + std::abs(a[e])));
}

TEST(PoseLosses, FastPathsAgreeAndThreadsDoNotMatter) {
  const TubeScene<float> scene;
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    PoseLosses<float> losses = scene.losses();
    std::vector<float> gradient;
    const double total = losses.evaluate(scene.rows, scene.poses, {}, gradient).total();
    return std::pair(total, gradient);
  };
  const auto one = run(1), four = run(4);
  EXPECT_EQ(one.first, four.first);
  EXPECT_EQ(one.second, four.second);
  const kernels::ScalarOnly scalar;
  const auto plain = run(1);
  EXPECT_NEAR(plain.first / one.first, 1, 1e-5);
  float largest = 0;
  for (float g : plain.second) largest = std::max(largest, std::abs(g));
  for (std::size_t e = 0; e < plain.second.size(); ++e) EXPECT_NEAR(plain.second[e], one.second[e], 1e-5F * largest);
}

TEST(PoseLosses, StayFiniteOnDegenerateMeshes) {
  Mesh mesh = test::nonManifoldFan();
  mesh.positions.push_back({5, 5, 5});                            // unconnected
  mesh.positions.insert(mesh.positions.end(), 3, Vec3f{2, 2, 2}); // a triangle without area
  mesh.triangles.push_back({6, 7, 8});
  TubeScene<float> scene;
  Random random(33);
  PoseLosses<float> losses(positionsOf<float>(mesh), mesh.triangles, {{0, 1, {0, 0, 0}, 0}}, 3);
  std::vector<float> gradient;
  const auto rows = randomRows<float>(random, mesh.positions.size(), 6);
  EXPECT_TRUE(std::isfinite(losses.evaluate(rows, scene.poses, {}, gradient).total()));
  for (float g : gradient) EXPECT_TRUE(std::isfinite(g));
  PoseLosses<float> nothing({}, {}, {}, 3);
  EXPECT_EQ(nothing.evaluate({}, scene.poses, {}, gradient).total(), 0);
}

} // namespace
} // namespace skincells::loss

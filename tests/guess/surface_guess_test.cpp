#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "guess/surface_guess.h"
#include "skincells/bind.h"
#include "skincells/threads.h"
#include "support/shapes.h"

namespace skincells::guess {
namespace {

// All joints deform.
rig::DeformRig rigOf(const Skeleton& skeleton) {
  rig::DeformRig rig{skeleton, std::vector<int>(skeleton.joints.size()), {}};
  std::iota(rig.deforming.begin(), rig.deforming.end(), 0);
  return rig;
}

Guess guess(const Mesh& mesh, const Skeleton& skeleton, int max_influences = 4) {
  return guessOnSurface(mesh, rigOf(skeleton), {.max_influences = max_influences});
}

double weightOf(const SparseWeights& w, std::size_t v, int joint) {
  double sum = 0;
  for (std::size_t k = 0; k < w.weightRow(v).size(); ++k)
    if (w.jointRow(v)[k] == joint) sum += static_cast<double>(w.weightRow(v)[k]);
  return sum;
}

void expectSound(const Guess& g, std::size_t vertex_count, int joint_count) {
  ASSERT_EQ(g.weights.vertexCount(), vertex_count);
  ASSERT_EQ(g.source.size(), vertex_count);
  ASSERT_EQ(g.trust.size(), vertex_count);
  for (std::size_t v = 0; v < vertex_count; ++v) {
    double sum = 0;
    for (std::size_t k = 0; k < g.weights.weightRow(v).size(); ++k) {
      ASSERT_GE(g.weights.weightRow(v)[k], 0);
      ASSERT_LT(g.weights.jointRow(v)[k], joint_count);
      sum += static_cast<double>(g.weights.weightRow(v)[k]);
    }
    ASSERT_NEAR(sum, 1, 1e-5) << v;
  }
}

Mesh moved(Mesh mesh, const Affine& by) {
  for (Vec3f& p : mesh.positions) p = toFloat(by.apply(toDouble(p)));
  return mesh;
}

Skeleton moved(Skeleton skeleton, const Affine& by) {
  for (Joint& j : skeleton.joints) j.bind = j.rest = by * j.bind;
  return skeleton;
}

// Two tubes side by side with a chain of two joints in each, under a root between them.
struct TwoLegs {
  Mesh mesh;
  Skeleton skeleton;
  std::size_t half = 0; // vertices of the left leg
};
TwoLegs twoLegs(double gap, double left_shift = 0) {
  TwoLegs c;
  const Mesh leg = test::tube(10, 1, 20, 12);
  c.half = leg.positions.size();
  c.mesh = test::joined(leg, moved(leg, Affine::fromTranslation({2 + gap, 0, 0})));
  test::addJoint(c.skeleton, "root", kNoParent, {1 + gap / 2, 10, 0});
  for (int side = 0; side < 2; ++side) {
    const double x = side == 0 ? -left_shift : 2 + gap;
    const auto first = static_cast<int>(c.skeleton.joints.size());
    test::addJoint(c.skeleton, "upper", 0, {x, 9, 0});
    test::addJoint(c.skeleton, "lower", first, {x, 5, 0});
  }
  return c;
}

TEST(SurfaceGuess, FollowsTheBoneInsideNotTheOneAcrossTheAir) {
  // The bones of the left leg are near its outer wall: the right leg's bones are nearer to the inner wall.
  const TwoLegs c = twoLegs(0.1, 0.5);
  const Guess g = guess(c.mesh, c.skeleton);
  for (std::size_t v = 0; v < c.mesh.positions.size(); ++v) {
    const bool left = v < c.half;
    EXPECT_LT(weightOf(g.weights, v, left ? 3 : 1) + weightOf(g.weights, v, left ? 4 : 2), 0.1) << v;
  }
}

TEST(SurfaceGuess, WeightsRunAlongAChain) {
  const Character c = test::tubeCharacter(4);
  const Weld weld = weldByPosition(c.mesh.positions, weldTolerance(c.mesh));
  const Mesh mesh = weldedMesh(c.mesh, weld);
  const Guess g = guess(mesh, c.skeleton);
  expectSound(g, mesh.positions.size(), 4);
  // Halfway along each bone its own joint rules.
  const double top = mesh.bounds().hi.y;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const double y = static_cast<double>(mesh.positions[v].y);
    for (int j = 0; j < 3; ++j) {
      const double a = c.skeleton.bindPosition(j).y, b = c.skeleton.bindPosition(j + 1).y;
      if (y > a + 0.35 * (b - a) && y < a + 0.65 * (b - a) && y < 0.95 * top && y > 0.05 * top) {
        EXPECT_GT(weightOf(g.weights, v, j), 0.5) << y;
      }
    }
  }
  EXPECT_FALSE(g.springs.empty());
  for (const rig::BoneSpring& s : g.springs) EXPECT_LT(s.vertex, mesh.positions.size());
}

TEST(SurfaceGuess, CapIsKept) {
  const Character c = test::tubeCharacter(6);
  const Mesh mesh = weldedMesh(c.mesh, weldByPosition(c.mesh.positions, 0));
  for (int cap : {1, 2, 8}) {
    const Guess g = guess(mesh, c.skeleton, cap);
    EXPECT_EQ(g.weights.slots, cap);
    expectSound(g, mesh.positions.size(), 6);
  }
}

TEST(SurfaceGuess, DoesNotDependOnUnitOrTurn) {
  const TwoLegs c = twoLegs(0.5);
  const Guess plain = guess(c.mesh, c.skeleton);
  const Affine turn = Affine::rotation({1, 2, 3}, 0.8);
  Affine grow;
  for (int i = 0; i < 3; ++i) grow.m[i][i] = 1000;
  for (const Affine& by : {Affine::fromTranslation({5, -7, 2}), grow, turn}) {
    const Guess other = guess(moved(c.mesh, by), moved(c.skeleton, by));
    double difference = 0;
    for (std::size_t v = 0; v < c.mesh.positions.size(); ++v)
      for (int j = 0; j < c.skeleton.jointCount(); ++j)
        difference += std::abs(weightOf(plain.weights, v, j) - weightOf(other.weights, v, j));
    // A turn changes the size in the box, and with it lengths that are counted in parts of it, by a little.
    EXPECT_LT(difference / static_cast<double>(c.mesh.positions.size()), 0.05);
  }
}

TEST(SurfaceGuess, DoesNotDependOnVertexOrder) {
  const TwoLegs c = twoLegs(0.5);
  const auto count = static_cast<std::uint32_t>(c.mesh.positions.size());
  Mesh reversed = c.mesh;
  std::ranges::reverse(reversed.positions);
  for (Triangle& t : reversed.triangles)
    for (std::uint32_t& v : t) v = count - 1 - v;
  const Guess a = guess(c.mesh, c.skeleton), b = guess(reversed, c.skeleton);
  for (std::size_t v = 0; v < count; ++v)
    for (int j = 0; j < c.skeleton.jointCount(); ++j)
      ASSERT_NEAR(weightOf(a.weights, v, j), weightOf(b.weights, count - 1 - v, j), 1e-4);
}

TEST(SurfaceGuess, SameBytesForAnyThreadCount) {
  const TwoLegs c = twoLegs(0.5);
  const ThreadLimit limit(1);
  const Guess one = guess(c.mesh, c.skeleton);
  const ThreadLimit more(8);
  const Guess many = guess(c.mesh, c.skeleton);
  EXPECT_EQ(one.weights.joints, many.weights.joints);
  EXPECT_EQ(one.weights.weights, many.weights.weights);
}

TEST(SurfaceGuess, AccessoryMovesAsOnePieceWithItsHost) {
  // A small box-like tube beside the lower half of a long one, nearer to no bone than its host.
  const Mesh body = test::tube(20, 2, 40, 16);
  const Mesh tool = moved(test::tube(1, 0.3, 4, 8), Affine::fromTranslation({2.3, 3, 0}));
  const Mesh mesh = test::joined(body, tool);
  const Skeleton skeleton = test::chain(3, 20);
  const Guess g = guess(mesh, skeleton);
  const std::size_t first = body.positions.size();
  for (std::size_t v = first; v < mesh.positions.size(); ++v)
    for (int j = 0; j < 3; ++j) ASSERT_EQ(weightOf(g.weights, v, j), weightOf(g.weights, first, j));
  EXPECT_GT(weightOf(g.weights, first, 0), 0.8);
}

TEST(SurfaceGuess, EyeballFollowsTheJointInItsMiddle) {
  const Mesh head = test::tube(20, 6, 30, 24);
  const Mesh eye = moved(test::tube(1, 0.5, 6, 8), Affine::fromTranslation({2, 14.5, 5}));
  Skeleton skeleton = test::chain(2, 10);
  test::addJoint(skeleton, "Eye.L", 1, {2, 15, 5});
  const Mesh mesh = test::joined(head, eye);
  const Guess g = guess(mesh, skeleton);
  for (std::size_t v = head.positions.size(); v < mesh.positions.size(); ++v) ASSERT_EQ(weightOf(g.weights, v, 2), 1);
  double head_mass = 0;
  for (std::size_t v = 0; v < head.positions.size(); ++v) head_mass += weightOf(g.weights, v, 2);
  EXPECT_LT(head_mass / static_cast<double>(head.positions.size()), 0.1);
}

TEST(SurfaceGuess, SimplifiedMeshGivesNearlyTheSame) {
  const Mesh fine = test::tube(20, 2, 150, 140); // above the limit for the full mesh
  ASSERT_GT(fine.positions.size(), 20000U);
  const Skeleton skeleton = test::chain(4, 20);
  const SparseWeights quick = guessWeights(fine, rigOf(skeleton)).weights;
  const Guess full = guess(fine, skeleton);
  const CoarseGuess coarse = guessForField(fine, rigOf(skeleton));
  EXPECT_LT(coarse.mesh.positions.size(), fine.positions.size() / 2);
  EXPECT_EQ(coarse.guess.weights.vertexCount(), coarse.mesh.positions.size());
  double difference = 0;
  for (std::size_t v = 0; v < fine.positions.size(); ++v)
    for (int j = 0; j < 4; ++j) difference += std::abs(weightOf(quick, v, j) - weightOf(full.weights, v, j)) / 2;
  EXPECT_LT(difference / static_cast<double>(fine.positions.size()), 0.05);
}

class DegenerateGuess : public testing::TestWithParam<int> {};

TEST_P(DegenerateGuess, EveryVertexHasAValidRow) {
  Mesh triangle;
  triangle.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  triangle.triangles = {{0, 1, 2}};
  Mesh line;
  line.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  line.triangles = {{0, 1, 2}, {1, 2, 3}};
  Mesh point; // all vertices in one place
  point.positions.assign(5, {1, 1, 1});
  point.triangles = {{0, 1, 2}, {2, 3, 4}};
  Mesh loose; // no triangle at all
  loose.positions = {{0, 0, 0}, {5, 5, 5}};
  Mesh mixed = test::joined(test::tube(10, 1, 10, 8), triangle); // and a part that sees nothing
  mixed.positions.push_back({100, 100, 100});
  const std::vector<Mesh> meshes{triangle, line, point, loose, mixed, test::nonManifoldFan(), test::grid(3, 3)};

  Skeleton coincident = test::chain(3, 0); // bones without length
  Skeleton outside = test::chain(2, 1);
  outside = moved(outside, Affine::fromTranslation({1000, 0, 0}));
  Skeleton crowd;
  Random random(3);
  for (int j = 0; j < 2000; ++j)
    test::addJoint(crowd, "j" + std::to_string(j),
                   j == 0 ? kNoParent : static_cast<int>(random.below(static_cast<std::uint32_t>(j))),
                   {random.uniform(-1, 1), random.uniform(0, 10), random.uniform(-1, 1)});
  const std::vector<Skeleton> skeletons{test::chain(1, 1), test::chain(2, 1), coincident, outside, crowd};
  for (const Skeleton& skeleton : skeletons) {
    const Mesh& mesh = meshes[static_cast<std::size_t>(GetParam())];
    expectSound(guess(mesh, skeleton), mesh.positions.size(), skeleton.jointCount());
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, DegenerateGuess, testing::Range(0, 7));

TEST(HeatMethod, BindsDuplicatedVerticesAlike) {
  Character c = test::tubeCharacter(4);
  BindOptions options;
  options.method = BindMethod::Heat;
  options.joints = "all";
  const auto plain = bind(c, options);
  ASSERT_TRUE(plain) << plain.error().text();
  Character split = c;
  split.mesh = test::unwelded(c.mesh);
  const auto doubled = bind(split, options);
  ASSERT_TRUE(doubled) << doubled.error().text();
  for (std::size_t t = 0; t < c.mesh.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      for (int j = 0; j < 4; ++j)
        ASSERT_NEAR(weightOf(plain->weights, c.mesh.triangles[t][k], j),
                    weightOf(doubled->weights, split.mesh.triangles[t][k], j), 1e-4);
}

} // namespace
} // namespace skincells::guess

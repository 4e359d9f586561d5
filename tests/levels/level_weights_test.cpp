// Weights of simplified levels: their posed surface follows that of level 0.
#include "levels/level_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "levels/surface_distance.h"
#include "mesh/decimate.h"
#include "skincells/threads.h"
#include "support/shapes.h"

namespace skincells::levels {
namespace {

// A tube that bends smoothly over four joints, and a coarse level of it.
class LevelOfATube : public testing::Test {
protected:
  LevelOfATube() { simplify(260); }

  // Weights depend on the distance to the joints along the tube.
  static SparseWeights smoothRows(const Mesh& mesh, int joint_count, double height) {
    SparseWeights rows(mesh.positions.size(), joint_count);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
      for (int j = 0; j < joint_count; ++j) {
        const double apart = static_cast<double>(mesh.positions[v].y) - height * (j + 0.5) / joint_count;
        rows.jointRow(v)[static_cast<std::size_t>(j)] = static_cast<std::uint16_t>(j);
        rows.weightRow(v)[static_cast<std::size_t>(j)] = static_cast<float>(std::exp(-2 * apart * apart));
      }
    canonicalize(rows, joint_count);
    return rows;
  }

  void simplify(std::size_t triangles) {
    const Weld weld = weldByPosition(tube_.positions, 0);
    std::vector<std::vector<Vec3f>> shapes{tube_.positions};
    mesh::Decimator decimator(tube_, weld, shapes);
    decimator.reduceTo(triangles);
    auto d = decimator.result();
    level_.triangles = d.triangles;
    std::vector<std::uint32_t> place(tube_.positions.size(), 0);
    std::vector<bool> used(tube_.positions.size(), false);
    for (const Triangle& t : d.triangles)
      for (const std::uint32_t v : t) used[v] = true;
    level_.positions.clear();
    for (std::size_t v = 0; v < used.size(); ++v) {
      place[v] = static_cast<std::uint32_t>(level_.positions.size());
      if (used[v]) level_.positions.push_back(tube_.positions[v]);
    }
    for (Triangle& t : level_.triangles)
      for (std::uint32_t& v : t) v = place[v];
    shape_.original = &tube_;
    shape_.survivor = d.survivor;
    place_ = shape_.take(level_);
  }

  double distance(const SparseWeights& rows, const std::vector<Pose>& poses) const {
    const SparseWeights weights = gatherRows(rows, place_);
    return surfaceDistance({&tube_, &full_}, {&level_, &weights}, poses, tube_.bounds().diagonal()).rms_percent;
  }

  static constexpr double kHeight = 4;
  Mesh tube_ = test::tube(kHeight, 0.4, 60, 16);
  Skeleton skeleton_ = test::chain(4, kHeight);
  SparseWeights full_ = smoothRows(tube_, 4, kHeight);
  std::vector<Pose> fitted_ = randomPoses(skeleton_, {10, 45, 1}), others_ = randomPoses(skeleton_, {10, 45, 2});
  Mesh level_;
  LevelShape shape_;
  std::vector<std::uint32_t> place_;
};

TEST_F(LevelOfATube, SamplesLieOnTheLevel) {
  const auto samples = sampleLevel(shape_, 1000000);
  EXPECT_EQ(samples.size(), tube_.positions.size());
  double weight = 0;
  for (const LevelSample& s : samples) {
    Vec3d place;
    for (std::size_t i = 0; i < 3; ++i) place += shape_.position(shape_.triangles[s.triangle][i]) * s.shares[i];
    EXPECT_LT(length(place - toDouble(tube_.positions[s.vertex])), 0.2);
    EXPECT_NEAR(s.shares[0] + s.shares[1] + s.shares[2], 1, 1e-9);
    EXPECT_GT(s.weight, 0);
    weight += s.weight;
  }
  EXPECT_NEAR(weight, 2, 1e-9); // both surfaces
}

TEST_F(LevelOfATube, FewerSamplesKeepTheVerticesOfTheLevel) {
  const auto samples = sampleLevel(shape_, 50);
  EXPECT_LT(samples.size(), tube_.positions.size() / 2);
  for (const std::uint32_t v : shape_.vertices)
    EXPECT_TRUE(std::ranges::any_of(samples, [&](const LevelSample& s) { return s.vertex == v; })) << v;
}

TEST_F(LevelOfATube, FollowsBetterInHeldOutPoses) {
  for (const int influences : {4, 2}) {
    const LevelFit fit(shape_, full_, full_, fitted_, influences);
    const SparseWeights rows = fit.bySurface(1);
    EXPECT_EQ(rows.slots, influences);
    EXPECT_LT(distance(rows, others_), 0.97 * distance(fit.byVertex(), others_)) << influences;
  }
}

TEST_F(LevelOfATube, RowsThatAreShortEnoughDoNotChange) {
  const LevelFit fit(shape_, full_, full_, fitted_, 4);
  const SparseWeights rows = fit.byVertex();
  for (std::size_t v = 0; v < shape_.vertices.size(); ++v) {
    EXPECT_TRUE(std::ranges::equal(rows.weightRow(v), full_.weightRow(shape_.vertices[v])));
    EXPECT_TRUE(std::ranges::equal(rows.jointRow(v), full_.jointRow(shape_.vertices[v])));
  }
}

TEST_F(LevelOfATube, RigidPartsStayRigid) {
  for (std::size_t v = 0; v < tube_.positions.size(); ++v) {
    std::ranges::copy(full_.weightRow(30), full_.weightRow(v).begin());
    std::ranges::copy(full_.jointRow(30), full_.jointRow(v).begin());
  }
  const SparseWeights rows = LevelFit(shape_, full_, full_, fitted_, 1).bySurface(1);
  for (std::size_t v = 0; v < rows.vertexCount(); ++v) EXPECT_EQ(rows.jointRow(v)[0], rows.jointRow(0)[0]);
}

TEST_F(LevelOfATube, UsesOnlyAllowedJoints) {
  SparseWeights allowed = full_;
  std::ranges::replace(allowed.joints, std::uint16_t{3}, std::uint16_t{2});
  canonicalize(allowed, 4);
  const SparseWeights rows = LevelFit(shape_, full_, allowed, fitted_, 4).bySurface(0);
  EXPECT_EQ(std::ranges::count(rows.joints, std::uint16_t{3}), 0);
}

TEST_F(LevelOfATube, IsTheSameForAnyThreadCount) {
  std::vector<SparseWeights> rows;
  for (const int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    rows.push_back(LevelFit(shape_, full_, full_, fitted_, 2).bySurface(0.5));
  }
  EXPECT_EQ(rows[0].weights, rows[1].weights);
  EXPECT_EQ(rows[0].joints, rows[1].joints);
}

TEST_F(LevelOfATube, AcceptsALevelWithoutTriangles) {
  LevelShape points;
  Mesh loose;
  loose.positions = tube_.positions;
  points.original = &loose;
  points.survivor.resize(loose.positions.size());
  std::iota(points.survivor.begin(), points.survivor.end(), 0U);
  points.take(loose);
  const SparseWeights rows = LevelFit(points, full_, full_, fitted_, 2).bySurface(1);
  EXPECT_EQ(rows.vertexCount(), loose.positions.size());
  for (std::size_t v = 0; v < rows.vertexCount(); ++v) EXPECT_GT(rows.weightRow(v)[0], 0);
}

} // namespace
} // namespace skincells::levels

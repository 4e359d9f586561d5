#include <gtest/gtest.h>

#include <numeric>

#include "metrics/skin_survey.h"
#include "support/shapes.h"

namespace skincells::metrics {
namespace {

// Two tubes side by side. The first is led by joint 0 below its middle and by joint 1 above, half and half at the
// middle ring; the second follows only joint 2.
struct TwoTubes {
  Mesh mesh;
  SparseWeights weights;
  std::uint32_t first = 0; // vertices of the first tube
};

TwoTubes twoTubes() {
  TwoTubes t;
  const Mesh one = test::tube(4, 0.5, 9, 8);
  Mesh other = test::tube(1, 0.2, 3, 8);
  for (Vec3f& p : other.positions) p.x += 3;
  t.first = one.vertexCount();
  t.mesh = test::joined(one, other);
  t.weights = SparseWeights(t.mesh.vertexCount(), 4);
  for (std::uint32_t v = 0; v < t.mesh.vertexCount(); ++v) {
    auto joints = t.weights.jointRow(v);
    auto weights = t.weights.weightRow(v);
    const float y = t.mesh.positions[v].y;
    if (v >= t.first) {
      joints[0] = 2, weights[0] = 1;
    } else if (y == 2) {
      joints[0] = 0, joints[1] = 1, weights[0] = weights[1] = 0.5F;
    } else {
      joints[0] = y < 2 ? 0 : 1, weights[0] = 1;
    }
  }
  return t;
}

TEST(SkinSurvey, JointsHaveVerticesExtentAndDistance) {
  const TwoTubes t = twoTubes();
  const double diagonal = t.mesh.bounds().diagonal();
  const std::vector<rig::BoneSegment> bones{{0, {0, 0, 0}, {0, 2, 0}}, {1, {0, 2, 0}, {0, 4, 0}}};
  const SkinSurvey s = surveySkin(t.mesh, t.weights, 4, bones);
  ASSERT_EQ(s.joints.size(), 4U);
  EXPECT_EQ(s.joints[0].led + s.joints[1].led, t.first);
  EXPECT_EQ(s.joints[0].led, 4U * 8 + 1 + 8) << "of two equal joints the first leads";
  EXPECT_EQ(s.joints[2].led, t.mesh.vertexCount() - t.first);
  EXPECT_EQ(s.joints[3].led, 0U);
  EXPECT_NEAR(s.joints[0].farthest, 100 * 0.5 / diagonal, 1e-4);
  EXPECT_EQ(s.joints[2].farthest, 0) << "it has no bone to be away from";
  EXPECT_NEAR(s.joints[1].extent, 100 * std::sqrt(1 + 4 + 1) / diagonal, 1e-3);
  EXPECT_EQ(s.joints[3].extent, 0);
}

TEST(SkinSurvey, CountsInfluences) {
  const TwoTubes t = twoTubes();
  const SkinSurvey s = surveySkin(t.mesh, t.weights, 4, {});
  ASSERT_EQ(s.by_influences.size(), 5U);
  EXPECT_EQ(s.by_influences[2], 8U);
  EXPECT_EQ(s.by_influences[0] + s.by_influences[3] + s.by_influences[4], 0U);
  EXPECT_EQ(std::accumulate(s.by_influences.begin(), s.by_influences.end(), 0U), t.mesh.vertexCount());
}

TEST(SkinSurvey, PartsAreRigidOrNotAndListTheirJoints) {
  TwoTubes t = twoTubes();
  t.mesh.positions.push_back({9, 9, 9}); // loose: no part
  t.weights.joints.resize(t.weights.joints.size() + 4);
  t.weights.weights.insert(t.weights.weights.end(), {1, 0, 0, 0});
  const SkinSurvey s = surveySkin(t.mesh, t.weights, 4, {});
  ASSERT_EQ(s.parts.size(), 2U);
  EXPECT_EQ(s.parts[0].vertices, t.first);
  EXPECT_FALSE(s.parts[0].rigid);
  EXPECT_EQ(s.parts[0].joints, (std::vector<int>{0, 1}));
  EXPECT_NEAR(s.parts[0].shares[0] + s.parts[0].shares[1], 1, 1e-9);
  EXPECT_EQ(s.parts[1].first_vertex, t.first);
  EXPECT_TRUE(s.parts[1].rigid);
  EXPECT_EQ(s.parts[1].joints, std::vector<int>{2});
  EXPECT_GT(s.parts[1].triangles, 0U);
}

TEST(SkinSurvey, SeamsDoNotSplitParts) {
  const Mesh split = test::unwelded(test::tube(4, 0.5, 5, 8));
  SparseWeights weights(split.vertexCount(), 1);
  std::fill(weights.weights.begin(), weights.weights.end(), 1.0F);
  const SkinSurvey s = surveySkin(split, weights, 1, {});
  ASSERT_EQ(s.parts.size(), 1U);
  EXPECT_TRUE(s.parts[0].rigid);
  EXPECT_EQ(s.parts[0].vertices, split.vertexCount());
}

TEST(SkinSurvey, OnePointHasNoSize) {
  Mesh mesh;
  mesh.positions = {{1, 2, 3}};
  SparseWeights weights(1, 2);
  const SkinSurvey s = surveySkin(mesh, weights, 1, {});
  EXPECT_TRUE(s.parts.empty());
  EXPECT_EQ(s.by_influences[0], 1U);
  EXPECT_EQ(s.joints[0].extent, 0);
}

} // namespace
} // namespace skincells::metrics

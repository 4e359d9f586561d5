#include <gtest/gtest.h>

#include <fstream>
#include <numeric>

#include <nlohmann/json.hpp>

#include "base/random.h"
#include "deform/lbs.h"
#include "guess/proximity.h"
#include "rig/segment_tree.h"
#include "support/files.h"
#include "support/shapes.h"

namespace skincells::guess {
namespace {

std::vector<int> allJoints(const Skeleton& s) {
  std::vector<int> joints(s.joints.size());
  std::iota(joints.begin(), joints.end(), 0);
  return joints;
}

SparseWeights proximity(std::span<const Vec3f> positions, const Skeleton& s, int k = 4) {
  return proximityWeights(positions, rig::boneSegments(s, allJoints(s)), {.max_influences = k});
}

double weightOf(const SparseWeights& w, std::size_t v, int joint) {
  for (std::size_t k = 0; k < w.jointRow(v).size(); ++k)
    if (w.weightRow(v)[k] > 0 && w.jointRow(v)[k] == joint) return w.weightRow(v)[k];
  return 0;
}

Vec3d vec(const nlohmann::json& j) {
  return {j[0], j[1], j[2]};
}

class Golden : public testing::Test {
protected:
  void SetUp() override {
    SKINCELLS_NEEDS_SHARED();
    std::ifstream in(test::sharedFolder() / "golden" / "rig.json");
    golden = nlohmann::json::parse(in);
    for (std::size_t j = 0; j < golden.at("parent").size(); ++j) {
      Joint joint;
      joint.parent = golden["parent"][j];
      joint.bind = Affine::fromTranslation(vec(golden.at("joint_positions")[j]));
      skeleton.joints.push_back(joint);
    }
    for (const auto& p : golden.at("points")) points.push_back(toFloat(vec(p)));
  }
  nlohmann::json golden;
  Skeleton skeleton;
  std::vector<Vec3f> points;
};

TEST_F(Golden, SegmentsAndDistances) {
  const auto bones = rig::boneSegments(skeleton, allJoints(skeleton));
  const auto& segments = golden.at("segments");
  ASSERT_EQ(bones.size(), segments.at("owner").size());
  for (std::size_t s = 0; s < bones.size(); ++s) {
    EXPECT_EQ(bones[s].joint, segments["owner"][s].get<int>());
    EXPECT_EQ(bones[s].a, vec(segments.at("a")[s]));
    EXPECT_EQ(bones[s].b, vec(segments.at("b")[s]));
    for (std::size_t p = 0; p < golden["points"].size(); ++p) {
      const auto got = rig::closestOnSegment(vec(golden["points"][p]), bones[s].a, bones[s].b);
      EXPECT_NEAR(std::sqrt(got.squared_distance), golden.at("segment_distance")[p][s].get<double>(), 1e-10);
      EXPECT_NEAR(got.parameter, golden.at("segment_parameter")[p][s].get<double>(), 1e-10);
    }
  }
}

TEST_F(Golden, JointDistances) {
  const rig::SegmentTree tree(rig::boneSegments(skeleton, allJoints(skeleton)));
  std::vector<rig::JointDistance> found;
  for (std::size_t p = 0; p < golden["points"].size(); ++p) {
    tree.nearestJoints(vec(golden["points"][p]), 100, found);
    ASSERT_EQ(found.size(), skeleton.joints.size());
    for (const auto& f : found)
      EXPECT_NEAR(std::sqrt(f.squared), golden.at("joint_distance")[p][static_cast<std::size_t>(f.joint)].get<double>(),
                  1e-10);
  }
}

TEST_F(Golden, WeightsAndDeformedPoints) {
  const SparseWeights w = proximity(points, skeleton);
  for (std::size_t p = 0; p < points.size(); ++p)
    for (int j = 0; j < skeleton.jointCount(); ++j)
      EXPECT_NEAR(weightOf(w, p, j),
                  golden.at("proximity_weights_l4_power3_5")[p][static_cast<std::size_t>(j)].get<double>(), 1e-6);
  for (std::size_t p = 0; p < golden.at("poses").size(); ++p) {
    Pose pose(skeleton.joints.size());
    for (std::size_t j = 0; j < pose.size(); ++j)
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 4; ++c) pose[j].m[r][c] = golden["poses"][p][j][r][c];
    std::vector<Vec3f> out(points.size());
    deform::skin(points, w, pose, out);
    for (std::size_t v = 0; v < points.size(); ++v)
      EXPECT_NEAR(length(toDouble(out[v]) - vec(golden.at("deformed")[p][v])), 0, 1e-4);
  }
}

TEST(SegmentTree, AgreesWithTryingAllSegments) {
  Random random(3);
  std::vector<rig::BoneSegment> bones;
  const auto point = [&] {
    return Vec3d{static_cast<double>(random.below(6)), random.uniform(0, 5), random.uniform(0, 5)};
  };
  for (int i = 0; i < 300; ++i) bones.push_back({static_cast<int>(random.below(90)), point(), point()});
  const rig::SegmentTree tree(bones);
  std::vector<rig::JointDistance> found;
  for (int i = 0; i < 100; ++i) {
    const Vec3d q = i == 0 ? bones[7].a : point();
    std::vector<rig::JointDistance> all(90, {INFINITY, 0});
    for (int j = 0; j < 90; ++j) all[static_cast<std::size_t>(j)].joint = j;
    for (const auto& b : bones) {
      auto& squared = all[static_cast<std::size_t>(b.joint)].squared;
      squared = std::fmin(squared, rig::closestOnSegment(q, b.a, b.b).squared_distance);
    }
    std::sort(all.begin(), all.end());
    tree.nearestJoints(q, 5, found);
    ASSERT_EQ(found.size(), 5U);
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_EQ(found[k].joint, all[k].joint);
      EXPECT_EQ(found[k].squared, all[k].squared);
    }
  }
}

TEST(Proximity, NoOverflowInAnyUnit) {
  const Mesh mesh = test::tube(4, 0.4, 9, 8);
  const SparseWeights reference = proximity(mesh.positions, test::chain(5, 4), 5); // all joints: no tie to break
  for (double unit : {1e-30, 1e-9, 1e9, 1e30}) {
    std::vector<Vec3f> scaled;
    for (const Vec3f& p : mesh.positions) scaled.push_back(toFloat(toDouble(p) * unit));
    const SparseWeights w = proximity(scaled, test::chain(5, 4 * unit), 5);
    for (std::size_t v = 0; v < scaled.size(); ++v)
      for (int j = 0; j < 5; ++j) EXPECT_NEAR(weightOf(w, v, j), weightOf(reference, v, j), 1e-4) << unit;
  }
}

TEST(Proximity, AVertexOnABoneFollowsItAlone) {
  const std::vector<Vec3f> points{{0, 0.5f, 0}, {0, 1, 0}};
  const SparseWeights w = proximity(points, test::chain(3, 3));
  EXPECT_EQ(weightOf(w, 0, 0), 1);
  EXPECT_EQ(weightOf(w, 1, 0), 0.5); // on the joint between two bones: both
  EXPECT_EQ(weightOf(w, 1, 1), 0.5);
}

TEST(Proximity, FewerJointsThanInfluences) {
  const std::vector<Vec3f> points{{1, 1, 1}};
  const SparseWeights w = proximity(points, test::chain(2, 2), 8);
  EXPECT_EQ(w.slots, 8);
  EXPECT_NEAR(weightOf(w, 0, 0) + weightOf(w, 0, 1), 1, 1e-6);
  for (std::size_t k = 2; k < 8; ++k) EXPECT_EQ(w.weightRow(0)[k], 0);
}

} // namespace
} // namespace skincells::guess

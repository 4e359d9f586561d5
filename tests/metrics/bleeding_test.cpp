#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "skincells/bleeding.h"
#include "skincells/verdict.h"
#include "support/shapes.h"

namespace skincells {
namespace {

constexpr int kHips = 0, kLeft = 1, kLeftFoot = 2, kRight = 3, kRightFoot = 4;

// Two parallel legs of radius 0.3 and height 4 with a gap of 0.1, joined by an arc at the top, and weights that follow
// the legs: foot, leg, hips.
class Legs : public testing::Test {
protected:
  void SetUp() override {
    constexpr double kBetween = 0.7, kArc = kBetween / 2 * std::numbers::pi; // of the middle lines
    mesh = test::tube(8 + kArc, 0.3, 81, 12);
    for (Vec3f& p : mesh.positions) {
      const double along = static_cast<double>(p.y), out = static_cast<double>(p.x);
      along_.push_back(along);
      const double turn = std::clamp((along - 4) / kArc, 0.0, 1.0) * std::numbers::pi, radius = kBetween / 2 - out;
      const double down = along < 4 ? 4 - along : std::max(0.0, along - 4 - kArc);
      p.x = static_cast<float>(kBetween / 2 - radius * std::cos(turn));
      p.y = static_cast<float>(4 + radius * std::sin(turn) - down);
    }
    const int parents[] = {kNoParent, kHips, kLeft, kHips, kRight};
    skeleton.joints.resize(std::size(parents));
    for (std::size_t j = 0; j < skeleton.joints.size(); ++j) skeleton.joints[j].parent = parents[j];
    weights = SparseWeights(mesh.vertexCount(), 4);
    for (std::uint32_t v = 0; v < mesh.vertexCount(); ++v) {
      const bool left = along_[v] < 4 + kArc / 2;
      const double height = left ? along_[v] : 8 + kArc - along_[v];
      const int leg = left ? kLeft : kRight, foot = left ? kLeftFoot : kRightFoot;
      const double hips = std::clamp(height - 3, 0.0, 1.0), low = std::clamp(1.5 - height, 0.0, 1.0);
      set(v, 0, leg, 1 - hips - low);
      set(v, 1, foot, low);
      set(v, 2, kHips, hips);
    }
  }
  void set(std::uint32_t v, std::size_t slot, int joint, double weight) {
    weights.jointRow(v)[slot] = static_cast<std::uint16_t>(joint);
    weights.weightRow(v)[slot] = static_cast<float>(weight);
  }
  // Gives a part of the left leg's weight to the right leg, on its side that faces the right one.
  void share(double from, double to, float part) {
    for (std::uint32_t v = 0; v < mesh.vertexCount(); ++v) {
      if (along_[v] < from || along_[v] > to || mesh.positions[v].x < 0.2F) continue;
      const float given = part * weights.weightRow(v)[0];
      weights.weightRow(v)[0] -= given;
      set(v, 3, kRight, static_cast<double>(given));
      ++shared;
    }
  }
  Bleeding measured() const { return measureBleeding(mesh, weights, skeleton); }

  Mesh mesh;
  Skeleton skeleton;
  SparseWeights weights;
  std::uint32_t shared = 0;

private:
  std::vector<double> along_; // the tube
};

TEST_F(Legs, CleanWeightsDoNotBleed) {
  const Bleeding b = measured();
  EXPECT_EQ(b.percent, 0);
  EXPECT_EQ(b.vertices, 0U);
  EXPECT_EQ(b.of_vertex.size(), mesh.positions.size());
}

TEST_F(Legs, LegsThatShareWeightsBleed) {
  share(1, 2, 0.3F);
  ASSERT_GT(shared, 20U);
  const Bleeding b = measured();
  EXPECT_EQ(b.vertices, shared);
  EXPECT_GT(b.percent, 0.5);
  EXPECT_NEAR(b.of_joint[kRight], b.percent, 1e-9);
  for (std::uint32_t v = 0; v < mesh.vertexCount(); ++v)
    EXPECT_FLOAT_EQ(b.of_vertex[v], weights.jointRow(v)[3] == kRight ? weights.weightRow(v)[3] : 0) << v;
}

// From the crotch down the surface leads from one leg to the other, but it is a long way around.
TEST_F(Legs, ALongWayAroundIsNoWay) {
  share(1, 5, 0.3F);
  const Bleeding b = measured();
  EXPECT_GT(b.vertices, 20U);
  EXPECT_LT(b.vertices, shared); // close to the crotch they may share
}

TEST_F(Legs, SingleVerticesOfTheOtherLegBleed) {
  for (std::uint32_t v = 100; v < 300; v += 20) set(v, 0, kRight, weights.weightRow(v)[0]);
  EXPECT_EQ(measured().vertices, 10U);
}

TEST_F(Legs, SeparateLegsBleedToo) {
  mesh = test::joined(test::tube(4, 0.3, 41, 12), test::tube(4, 0.3, 41, 12));
  const std::uint32_t half = mesh.vertexCount() / 2;
  weights = SparseWeights(mesh.vertexCount(), 4);
  for (std::uint32_t v = 0; v < mesh.vertexCount(); ++v) {
    if (v >= half) mesh.positions[v].x += 0.65F;
    set(v, 0, v < half ? kLeft : kRight, 1);
  }
  EXPECT_EQ(measured().percent, 0);
  set(50, 0, kLeft, 0.6);
  set(50, 1, kRight, 0.4);
  EXPECT_EQ(measured().vertices, 1U);
}

// Parents and children share wherever they like, and a joint may have two homes.
TEST_F(Legs, ParentsAndSecondHomesDoNotBleed) {
  for (std::uint32_t v = 0; v < 100; ++v) {
    weights.weightRow(v)[0] *= 0.7F;
    weights.weightRow(v)[1] *= 0.7F;
    set(v, 3, kHips, 0.3);
  }
  EXPECT_EQ(measured().percent, 0);
  for (std::uint32_t v = 0; v < mesh.vertexCount(); ++v)
    for (std::uint16_t& j : weights.jointRow(v)) j = j == kRightFoot ? kLeftFoot : j;
  EXPECT_EQ(measured().percent, 0);
}

TEST_F(Legs, TheVerdictNamesTheJointThatBleeds) {
  share(1, 2, 0.3F);
  Character character;
  character.mesh = mesh;
  character.skeleton = skeleton;
  character.skeleton.joints[kRight].name = "right leg";
  const Verdict verdict = judgeSkin(character, weights);
  const auto found =
      std::ranges::find_if(verdict.findings, [](const Finding& f) { return f.threshold.name == "bleeding_percent"; });
  ASSERT_NE(found, verdict.findings.end());
  EXPECT_NEAR(found->value, measured().percent, 1e-6);
  EXPECT_GT(found->value, 0.5);
  EXPECT_EQ(found->where, "right leg");
}

TEST(Bleeding, EmptyAndDegenerateInput) {
  Skeleton two;
  two.joints.resize(2);
  two.joints[1].parent = 0;
  EXPECT_EQ(measureBleeding({}, {}, two).percent, 0);
  Mesh loose;
  loose.positions = {{0, 0, 0}, {1, 0, 0}};
  SparseWeights weights(2, 1);
  EXPECT_EQ(measureBleeding(loose, weights, two).percent, 0); // unweighted
  weights.weights = {1, 1};
  EXPECT_EQ(measureBleeding(loose, weights, two).percent, 0); // no area
}

} // namespace
} // namespace skincells

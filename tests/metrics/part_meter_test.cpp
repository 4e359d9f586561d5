#include "metrics/part_meter.h"

#include <gtest/gtest.h>

#include "metrics/joint_reach.h"
#include "metrics/skin_measures.h"
#include "support/shapes.h"

namespace skincells::metrics {
namespace {

// A meter with its surface.
struct Metered {
  explicit Metered(const Mesh& mesh) : surface(mesh), meter(surface, trimmedBounds(mesh)) {}
  WeldedSurface surface;
  PartMeter meter;
};

JointReach reachOf(const Character& c) {
  return measureReach(WeldedSurface(c.mesh), c.skeleton, c.weights);
}

TEST(PartMeter, NothingMovesNothingIsMeasured) {
  const Mesh mesh = test::tube(2, 0.3, 9, 8);
  Metered metered(mesh);
  PartMeter& meter = metered.meter;
  EXPECT_EQ(meter.webPercent(), 0);
  meter.add(mesh.positions);
  EXPECT_EQ(meter.webPercent(), 0);
  EXPECT_EQ(meter.departedPercent(), 0);
  std::uint32_t vertex = 0;
  EXPECT_FALSE(meter.departedVertex(vertex));
  Metered empty{Mesh{}};
  empty.meter.add({});
  EXPECT_EQ(empty.meter.webPercent(), 0);
}

TEST(PartMeter, AShellThatFliesOffDeparts) {
  const Mesh body = test::tube(2, 0.3, 9, 8);
  Mesh shell = test::tube(0.5, 0.305, 3, 8);
  for (Vec3f& p : shell.positions) p += Vec3f{0, 0.5F, 0};
  const Mesh both = test::joined(body, shell);
  Metered metered(both);
  PartMeter& meter = metered.meter;
  std::vector<Vec3f> posed = both.positions;
  meter.add(posed);
  for (std::size_t v = body.positions.size(); v < posed.size(); ++v) posed[v] += Vec3f{1, 0, 0};
  meter.add(posed);
  EXPECT_GT(meter.departedPercent(), 5); // the shell in one of two poses; never the body
  EXPECT_LT(meter.departedPercent(), 25);
  EXPECT_EQ(meter.webPercent(), 0);
  std::uint32_t vertex = 0;
  ASSERT_TRUE(meter.departedVertex(vertex));
  EXPECT_GE(vertex, body.positions.size());
}

TEST(PartMeter, OneVertexPulledOutIsAWeb) {
  const Mesh mesh = test::tube(2, 0.3, 9, 8);
  Metered metered(mesh);
  PartMeter& meter = metered.meter;
  std::vector<Vec3f> posed = mesh.positions;
  posed[20] += Vec3f{3, 0, 0};
  meter.add(posed);
  EXPECT_GT(meter.webPercent(), 10);
}

// A tube whose rings follow the nearest of six joints.
Character ringed() {
  Character c = test::tubeCharacter(6);
  c.weights = SparseWeights(c.mesh.positions.size(), 1);
  const double top = c.mesh.bounds().hi.y;
  for (std::size_t v = 0; v < c.mesh.positions.size(); ++v) {
    const double at = static_cast<double>(c.mesh.positions[v].y) / top;
    c.weights.jointRow(v)[0] = static_cast<std::uint16_t>(std::min(5.0, at * 6));
    c.weights.weightRow(v)[0] = 1;
  }
  return c;
}

TEST(JointReach, APatchOnAWrongJointStrays) {
  Character c = ringed();
  EXPECT_EQ(reachOf(c).stray_percent, 0);
  for (std::size_t v = 0; v < c.mesh.positions.size(); ++v)
    if (c.weights.jointRow(v)[0] == 5) c.weights.jointRow(v)[0] = 0;
  const JointReach reach = reachOf(c);
  EXPECT_GT(reach.stray_percent, 5);
  EXPECT_GT(reach.of_joint[0], 5);
  EXPECT_EQ(reachOf({}).stray_percent, 0);
}

TEST(JointReach, AMeshInOtherUnitsIsFarFromItsJoints) {
  for (const float factor : {100.0F, 0.01F}) {
    Character c = ringed();
    EXPECT_LT(reachOf(c).size_factor, 1.5);
    for (Vec3f& p : c.mesh.positions) p *= factor;
    EXPECT_GT(reachOf(c).size_factor, 3);
    EXPECT_EQ(judgeSkin(c, c.weights).grade, Grade::Bad);
  }
}

} // namespace
} // namespace skincells::metrics

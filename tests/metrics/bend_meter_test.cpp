#include "metrics/bend_meter.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "metrics/skin_measures.h"
#include "support/shapes.h"

namespace skincells::metrics {
namespace {

// A body with a plate beside it: a tube 0.6 long whose vertices begin at `first`.
struct Plated {
  Plated() : mesh(test::tube(2, 0.3, 9, 8)), first(mesh.positions.size()) {
    Mesh plate = test::tube(0.6, 0.05, 5, 8);
    for (Vec3f& p : plate.positions) p += Vec3f{0.5F, 0.5F, 0};
    mesh = test::joined(mesh, plate);
  }
  // The upper half of the plate shears aside.
  std::vector<Vec3f> bent(float far) const {
    std::vector<Vec3f> posed = mesh.positions;
    for (std::size_t v = first; v < posed.size(); ++v)
      if (posed[v].y > 0.85F) posed[v].x += far;
    return posed;
  }
  Mesh mesh;
  std::size_t first;
};

TEST(BendMeter, APlateThatBendsIsMeasured) {
  const Plated plated;
  const WeldedSurface surface(plated.mesh);
  BendMeter meter(surface, trimmedBounds(plated.mesh), {});
  meter.add(plated.mesh.positions);
  std::vector<Vec3f> turned = plated.mesh.positions; // the plate turns as one
  for (std::size_t v = plated.first; v < turned.size(); ++v)
    turned[v] = toFloat(Affine::rotation({0, 0, 1}, 1).apply(toDouble(turned[v])));
  meter.add(turned);
  meter.add(plated.bent(0.02F)); // too little to see
  std::uint32_t vertex = 0;
  EXPECT_EQ(meter.bentPercent(), 0);
  EXPECT_FALSE(meter.bentVertex(vertex));
  meter.add(plated.bent(0.5F));
  EXPECT_GT(meter.bentPercent(), 0.5);
  EXPECT_LT(meter.bentPercent(), 5); // the plate alone, in one of four poses
  ASSERT_TRUE(meter.bentVertex(vertex));
  EXPECT_GE(vertex, plated.first);
}

TEST(BendMeter, APartWithAJointInItMayBend) {
  const Plated plated;
  const WeldedSurface surface(plated.mesh);
  const std::vector<Vec3d> joints{{0.5, 0.8, 0}};
  BendMeter meter(surface, trimmedBounds(plated.mesh), joints);
  meter.add(plated.bent(0.5F));
  EXPECT_EQ(meter.bentPercent(), 0);
  EXPECT_EQ(rigidLookingParts(surface, 2, {}), (std::vector<bool>{false, true}));
  EXPECT_EQ(rigidLookingParts(surface, 2, joints), (std::vector<bool>{false, false}));
}

TEST(BendMeter, OneConnectedMeshHasNoParts) {
  const Mesh mesh = test::tube(2, 0.3, 9, 8);
  const WeldedSurface surface(mesh);
  BendMeter meter(surface, trimmedBounds(mesh), {});
  meter.add(mesh.positions);
  EXPECT_EQ(meter.bentPercent(), 0);
}

// The plate hangs on two joints that turn apart, far from both.
TEST(BendMeter, TheVerdictNamesIt) {
  Character c = test::tubeCharacter(4);
  const std::size_t first = c.mesh.positions.size();
  Mesh plate = test::tube(1, 0.1, 9, 8);
  for (Vec3f& p : plate.positions) p += Vec3f{1.5F, 0.5F, 0};
  c.mesh = test::joined(c.mesh, plate);
  c.weights = SparseWeights(c.mesh.positions.size(), 1);
  for (std::size_t v = 0; v < c.mesh.positions.size(); ++v) {
    c.weights.weightRow(v)[0] = 1;
    c.weights.jointRow(v)[0] = static_cast<std::uint16_t>(v >= first && c.mesh.positions[v].y > 1 ? 3 : 0);
  }
  const JudgedPoses judged = judgedPoses(c);
  const std::vector<Measure> measures = measureSkin(c, c.weights, judged.poses);
  const auto bent = std::ranges::find(measures, "bent_percent", &Measure::name);
  ASSERT_NE(bent, measures.end());
  EXPECT_GT(bent->value, 2);
  EXPECT_FALSE(bent->where.empty());
}

} // namespace
} // namespace skincells::metrics

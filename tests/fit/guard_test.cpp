#include "fit/guard.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/shapes.h"

namespace skincells::fit {
namespace {

// A tube whose weights run smoothly from joint to joint, and poses to measure it in.
struct Scene {
  Character character = test::tubeCharacter(4);
  std::vector<Pose> poses = randomPoses(character.skeleton, {.count = 8, .seed = 3});

  SparseWeights smooth() const {
    const auto& positions = character.mesh.positions;
    SparseWeights w(positions.size(), 2);
    for (std::size_t v = 0; v < positions.size(); ++v) {
      const float at = std::clamp(positions[v].y - 0.5F, 0.0F, 2.999F);
      const auto j = static_cast<std::uint16_t>(at);
      w.jointRow(v)[0] = j;
      w.weightRow(v)[0] = 1 - (at - static_cast<float>(j));
      w.jointRow(v)[1] = static_cast<std::uint16_t>(j + 1);
      w.weightRow(v)[1] = at - static_cast<float>(j);
    }
    return w;
  }
  Guard guard(bool enabled = true) const { return {character.mesh, smooth(), poses, 4, enabled}; }
};

TEST(Guard, AcceptsTheStart) {
  const Scene scene;
  Guard guard = scene.guard();
  EXPECT_TRUE(guard.accept("result", scene.smooth()));
  ASSERT_EQ(guard.report().findings.size(), 1U);
  EXPECT_EQ(guard.report().findings[0].stretch_rms, guard.report().start_stretch_rms);
  EXPECT_GT(guard.report().start_stretch_rms, 0);
  EXPECT_EQ(guard.complaint(), "");
}

TEST(Guard, NoticesMoreStretchThanItRejects) {
  const Scene scene;
  SparseWeights stiff = scene.smooth();
  for (std::size_t v = 0; v < stiff.vertexCount(); ++v) {
    const bool second = stiff.weightRow(v)[1] > stiff.weightRow(v)[0];
    stiff.weightRow(v)[0] = second ? 0.0F : 1.0F;
    stiff.weightRow(v)[1] = second ? 1.0F : 0.0F;
  }
  Guard guard = scene.guard(false);
  EXPECT_FALSE(guard.stretchesMore()) << "nothing was measured yet";
  guard.accept("result", scene.smooth());
  EXPECT_FALSE(guard.stretchesMore());
  guard.accept("result", stiff);
  EXPECT_TRUE(guard.stretchesMore());
  EXPECT_EQ(guard.stretchOf(stiff), guard.report().findings.back().stretch_rms);
}

TEST(Guard, RejectsRowsWithoutUsableWeights) {
  const Scene scene;
  for (float bad : {0.0F, NAN, INFINITY}) {
    SparseWeights w = scene.smooth();
    w.weightRow(7)[0] = w.weightRow(7)[1] = bad;
    Guard guard = scene.guard();
    EXPECT_FALSE(guard.accept("result", w)) << bad;
    EXPECT_EQ(guard.report().findings[0].empty_vertices, 1);
    EXPECT_NE(guard.complaint().find("1 vertex had no usable weight"), std::string::npos) << guard.complaint();
  }
}

TEST(Guard, RejectsAJointThatLostItsWeight) {
  const Scene scene;
  SparseWeights w = scene.smooth();
  for (std::uint16_t& j : w.joints) j = j == 2 ? 1 : j;
  Guard guard = scene.guard();
  EXPECT_FALSE(guard.accept("result", w));
  EXPECT_EQ(guard.report().findings[0].lost_joints, 1);
  EXPECT_NE(guard.complaint().find("1 joint lost all weight"), std::string::npos) << guard.complaint();
}

TEST(Guard, RejectsTornSkinAndFallsBack) {
  const Scene scene;
  SparseWeights torn = scene.smooth();
  for (std::size_t v = 0; v < torn.vertexCount(); ++v) { // each vertex to some joint, unlike its neighbors
    torn.jointRow(v)[0] = static_cast<std::uint16_t>(v % 4);
    torn.weightRow(v)[0] = 1;
    torn.weightRow(v)[1] = 0;
  }
  Guard guard = scene.guard();
  EXPECT_FALSE(guard.accept("result", torn));
  EXPECT_NE(guard.complaint().find("stretched"), std::string::npos) << guard.complaint();
  EXPECT_TRUE(guard.accept("fit", scene.smooth()));
  guard.acceptLast("proximity", torn);
  ASSERT_EQ(guard.report().findings.size(), 3U);
  EXPECT_GT(guard.report().findings[0].stretch_rms, 1.5 * guard.report().start_stretch_rms);
  EXPECT_FALSE(guard.report().findings[0].accepted);
  EXPECT_TRUE(guard.report().findings[1].accepted);
  EXPECT_TRUE(guard.report().findings[2].accepted); // the last candidate always is
}

TEST(Guard, DisabledItOnlyMeasures) {
  const Scene scene;
  Guard guard = scene.guard(false);
  EXPECT_TRUE(guard.accept("result", SparseWeights(scene.character.mesh.positions.size(), 2)));
  EXPECT_FALSE(guard.report().enabled);
  EXPECT_GT(guard.report().findings[0].empty_vertices, 0);
}

} // namespace
} // namespace skincells::fit

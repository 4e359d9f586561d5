#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "skincells/bind.h"
#include "skincells/metrics.h"
#include "skincells/threads.h"
#include "support/morphs.h"
#include "support/shapes.h"
#include "support/torture.h"

namespace skincells {
namespace {

using test::expectSound;

BindResult mustBind(const Character& c, const BindOptions& options = {}) {
  auto result = bind(c, options);
  EXPECT_TRUE(result) << result.error().text();
  return result ? *std::move(result) : BindResult{};
}

BindOptions allJoints(int max_influences = 4, BindMethod method = BindMethod::SkinCells) {
  BindOptions options;
  options.method = method;
  options.joints = "all";
  options.max_influences = max_influences;
  return options;
}

// Weights as a full matrix row.
std::vector<double> row(const SparseWeights& w, std::size_t v, std::size_t joint_count) {
  std::vector<double> dense(joint_count);
  for (std::size_t k = 0; k < w.weightRow(v).size(); ++k) dense[w.jointRow(v)[k]] += w.weightRow(v)[k];
  return dense;
}

void expectSameRows(const SparseWeights& a, std::size_t va, const SparseWeights& b, std::size_t vb, std::size_t joints,
                    double tolerance) {
  const auto ra = row(a, va, joints), rb = row(b, vb, joints);
  for (std::size_t j = 0; j < joints; ++j) ASSERT_NEAR(ra[j], rb[j], tolerance) << va << " " << j;
}

// A branching character without symmetry, so that no two joints tie.
Character branching() {
  Character c = test::tubeCharacter(5);
  for (int i = 0; i < 3; ++i) {
    Joint joint;
    joint.name = "branch" + std::to_string(i);
    joint.parent = i;
    joint.bind = joint.rest = Affine::fromTranslation({0.13 + 0.05 * i, 0.7 * i + 0.31, 0.21 - 0.1 * i});
    c.skeleton.joints.push_back(joint);
  }
  return c;
}

TEST(Bind, TubeGetsValidWeights) {
  const Character c = branching();
  for (int k : {1, 2, 4, 8}) {
    const BindResult r = mustBind(c, allJoints(k));
    expectSound(c, r.weights, k);
    EXPECT_EQ(r.report.joints.size(), c.skeleton.joints.size());
    EXPECT_EQ(r.report.stop_reason, "done");
    EXPECT_FALSE(r.report.timings.empty());
  }
}

TEST(Bind, MissingThingsAreErrors) {
  Character c = test::tubeCharacter();
  Character no_mesh = c, no_skeleton = c;
  no_mesh.mesh = {};
  no_skeleton.skeleton = {};
  EXPECT_EQ(bind(no_mesh).error().code, ErrorCode::NoMesh);
  EXPECT_EQ(bind(no_skeleton).error().code, ErrorCode::NoSkeleton);
  EXPECT_EQ(chooseJoints(no_skeleton, "auto").error().code, ErrorCode::NoSkeleton);
  BindOptions weighted;
  weighted.joints = "weighted";
  EXPECT_EQ(bind(c, weighted).error().code, ErrorCode::NoJoints);
  c.weights = SparseWeights(c.mesh.positions.size(), 4); // a skin in which nothing carries weight
  EXPECT_EQ(bind(c, weighted).error().code, ErrorCode::NoJoints);
}

TEST(Bind, OptionsAreChecked) {
  for (int k : {0, 9, -1}) {
    const auto r = bind(test::tubeCharacter(), allJoints(k));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code, ErrorCode::InvalidOption);
    EXPECT_EQ(r.error().where, "--max-influences");
  }
}

TEST(Bind, WeightedKeepsTheJointsOfTheSkin) {
  Character c = test::tubeCharacter(4);
  c.weights = SparseWeights(c.mesh.positions.size(), 4);
  for (std::size_t v = 0; v < c.mesh.positions.size(); ++v) {
    c.weights.jointRow(v)[0] = v % 2 == 0 ? 1 : 3;
    c.weights.weightRow(v)[0] = 1;
  }
  BindOptions options;
  options.joints = "weighted";
  const BindResult r = mustBind(c, options);
  for (const JointDecision& d : r.report.joints) EXPECT_EQ(d.deforms, d.joint == 1 || d.joint == 3);
  for (std::size_t i = 0; i < r.weights.weights.size(); ++i)
    if (r.weights.weights[i] > 0) {
      EXPECT_TRUE(r.weights.joints[i] == 1 || r.weights.joints[i] == 3);
    }
  ASSERT_FALSE(r.report.warnings.empty());
  EXPECT_EQ(r.report.warnings[0].code, "bind.few_joints");
}

TEST(Bind, JointsAwayFromTheMeshAreAWarningBeyondAShare) {
  const auto warned = [](int away) {
    Character c = test::tubeCharacter(12);
    for (int i = 0; i < away; ++i) {
      Joint joint;
      joint.name = "arm" + std::to_string(i);
      joint.parent = i == 0 ? 0 : c.skeleton.jointCount() - 1;
      joint.bind = joint.rest = Affine::fromTranslation({30.0 + 2 * i, 0, 0});
      c.skeleton.joints.push_back(joint);
    }
    BindOptions options;
    options.method = BindMethod::Heat;
    const BindResult r = mustBind(c, options);
    return std::ranges::count(r.report.warnings, "joints.away", &Warning::code) > 0;
  };
  EXPECT_FALSE(warned(0));
  EXPECT_FALSE(warned(1)); // 1 of 13
  EXPECT_TRUE(warned(3));  // 3 of 15
}

TEST(Bind, BonesEndAtPlaceholdersWhereTheNodeTreePutsThem) {
  Character c = test::tubeCharacter(3);
  for (Vec3f& p : c.mesh.positions) p.x += 5;
  for (Joint& joint : c.skeleton.joints) joint.bind.m[0][3] = joint.rest.m[0][3] = 5;
  const BindResult before = mustBind(c);
  Joint placeholder;
  placeholder.name = "tip";
  placeholder.parent = 0;
  placeholder.rest = Affine::fromTranslation({5, 0.5, 0});
  c.skeleton.joints.push_back(placeholder); // its bind matrix would give a bone through the whole scene
  const BindResult after = mustBind(c);
  EXPECT_EQ(after.report.joints[3].rule, "placeholder");
  for (std::size_t v = 0; v < c.mesh.positions.size(); ++v)
    expectSameRows(before.weights, v, after.weights, v, c.skeleton.joints.size(), 0.05);
}

TEST(Bind, SameBytesForAnyThreadCount) {
  Character c = branching();
  c.mesh = test::tube(4, 0.4, 200, 40);
  std::vector<BindResult> results;
  for (int threads : {1, 2, 8}) {
    const ThreadLimit limit(threads);
    results.push_back(mustBind(c));
  }
  for (const BindResult& r : results) {
    EXPECT_EQ(r.weights.weights, results[0].weights.weights);
    EXPECT_EQ(r.weights.joints, results[0].weights.joints);
  }
}

TEST(BindDegenerate, OneAndTwoJoints) {
  for (int joints : {1, 2}) {
    const Character c = test::tubeCharacter(joints);
    for (const char* spec : {"auto", "all"}) {
      BindOptions options = allJoints();
      options.joints = spec;
      expectSound(c, mustBind(c, options).weights, 4);
    }
  }
}

TEST(BindDegenerate, CoincidentJointsAndZeroLengthBones) {
  Character c = test::tubeCharacter(6);
  for (Joint& joint : c.skeleton.joints) joint.bind = joint.rest = Affine::fromTranslation({0, 1, 0});
  expectSound(c, mustBind(c).weights, 4);
  expectSound(c, mustBind(c, allJoints()).weights, 4);
}

TEST(BindDegenerate, AllVerticesOnOnePointOrOneLine) {
  Character c = test::tubeCharacter(3);
  for (Vec3f& p : c.mesh.positions) p = {0.3f, 1, 0};
  expectSound(c, mustBind(c).weights, 4);
  for (std::size_t v = 0; v < c.mesh.positions.size(); ++v) c.mesh.positions[v] = {0.01f * static_cast<float>(v), 0, 0};
  expectSound(c, mustBind(c).weights, 4);
}

TEST(BindDegenerate, PointCloudSaysSo) {
  Character c = test::tubeCharacter(5);
  c.mesh.triangles.clear();
  const BindResult r = mustBind(c);
  expectSound(c, r.weights, 4);
  EXPECT_TRUE(std::ranges::any_of(r.report.warnings, [](const Warning& w) { return w.code == "bind.no_triangles"; }));
}

// Drafts: every stage sees all joints, in fewer steps.
TEST(BindDegenerate, TenThousandJoints) {
  BindOptions options;
  options.quality = BindQuality::Draft;
  Character c = test::tubeCharacter(1);
  c.skeleton = test::chain(10000, 4);
  expectSound(c, mustBind(c, options).weights, 4);
  for (int j = 1; j < 10000; ++j) c.skeleton.joints[static_cast<std::size_t>(j)].parent = 0; // a star
  expectSound(c, mustBind(c, options).weights, 4);
}

TEST(BindDegenerate, FarMoreJointsThanAnyCharacterHasAreRefused) {
  Character c = test::tubeCharacter();
  while (c.skeleton.joints.size() <= 16384) test::addJoint(c.skeleton, "extra", 0, {0, 1, 0});
  const auto result = bind(c, {.method = BindMethod::Proximity});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::TooLarge);
}

TEST(Bind, ProgressRisesAndCancelStops) {
  const Character c = test::tubeCharacter();
  double last = -1;
  int calls = 0;
  ASSERT_TRUE(bind(c, {}, [&](const Progress& p) {
    EXPECT_FALSE(p.stage.empty());
    EXPECT_GE(p.fraction, last);
    last = p.fraction;
    ++calls;
    return true;
  }));
  EXPECT_EQ(last, 1);
  // Stopped early there is nothing to give; later, the best so far is a sound result that says so.
  bool had_result = false;
  for (int stop = 1; stop < calls; stop += 3) {
    int seen = 0;
    const auto r = bind(c, {}, [&](const Progress&) { return ++seen < stop; });
    if (!r) {
      EXPECT_EQ(r.error().code, ErrorCode::Cancelled);
      EXPECT_FALSE(had_result) << stop;
      continue;
    }
    had_result = true;
    expectSound(c, r->weights, 4);
  }
  EXPECT_TRUE(had_result);
}

TEST(Bind, SkinCellsSayHowSureTheyAreOfEachVertex) {
  const Character c = test::humanoidWithClips();
  const auto cells = bind(c, {.quality = BindQuality::Draft});
  ASSERT_TRUE(cells);
  ASSERT_EQ(cells->confidence.size(), c.mesh.vertexCount());
  for (float x : cells->confidence) ASSERT_TRUE(x > 0 && x <= 1);
  const auto heat = bind(c, {.method = BindMethod::Heat});
  ASSERT_TRUE(heat);
  EXPECT_TRUE(heat->confidence.empty());
}

TEST(Bind, SkinCellsReportTheirCurves) {
  const BindResult r = mustBind(test::tubeCharacter());
  ASSERT_EQ(r.report.curves.size(), 3U);
  for (const LossCurve& curve : r.report.curves) {
    ASSERT_FALSE(curve.values.empty()) << curve.name;
    EXPECT_TRUE(std::ranges::all_of(curve.values, [](double x) { return std::isfinite(x); })) << curve.name;
  }
  EXPECT_LT(r.report.curves[0].values.back(), r.report.curves[0].values.front());
  ASSERT_TRUE(r.field);
  EXPECT_EQ(r.field->layout.joint_count, 4);
}

// Stiffer weights keep vertices closer to their distance from the bone; softer ones stretch less.
TEST(Bind, StiffnessTradesStretchForFollowingTheBones) {
  const Character c = branching();
  const PoseSet poses{"random", randomPoses(c.skeleton, {.count = 12, .seed = 5})};
  const auto stretch = [&](double stiffness) {
    BindOptions options = allJoints();
    options.stiffness = stiffness;
    return shapeStatistics(c.mesh, mustBind(c, options).weights, poses.poses).stretch_rms;
  };
  EXPECT_LT(stretch(0.01), stretch(100));
}

TEST(Bind, AnotherSeedEndsNearby) {
  const Character c = branching();
  BindOptions other = allJoints();
  other.seed = 7;
  const SparseWeights a = mustBind(c, allJoints()).weights, b = mustBind(c, other).weights;
  EXPECT_NE(a.weights, b.weights);
  EXPECT_LE(test::posedApart(c, a, b), 10);
}

} // namespace
} // namespace skincells

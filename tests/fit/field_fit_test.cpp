// Optimizing a field on the simplest character: a tube with a chain of joints.
#include "fit/field_fit.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "field/initialize.h"
#include "kernels/kernels.h"
#include "skincells/threads.h"
#include "support/shapes.h"

namespace skincells::fit {
namespace {

// The product's rates.
WeightFitOptions weightFit(int steps) {
  return {.steps = steps, .rates = Tuning{}.fit_rates};
}
LossFitOptions lossFit(int steps) {
  LossFitOptions options;
  options.steps = steps;
  options.rates = Tuning{}.loss_rates;
  return options;
}

struct Tube {
  Character character = test::tubeCharacter(5);
  FieldParameters field;
  std::vector<rig::BoneSpring> springs;

  explicit Tube(FieldShape shape = FieldShape::ScaleRotation, int joints = 5) : character(test::tubeCharacter(joints)) {
    std::vector<field::BoneSegment> bones;
    for (int j = 0; j < joints; ++j)
      bones.push_back(
          {j, {0.1, j / static_cast<double>(joints), 0.1}, {0.1, (j + 1) / static_cast<double>(joints), 0.1}});
    field = initializeField(bones, {joints, 3, shape}, 2, 1);
    field.unit_scale = 0.25; // the tube is 4 high and 0.8 wide
    field.unit_origin = {-0.4, 0, -0.4};
    const auto& positions = character.mesh.positions;
    for (std::uint32_t v = 0; v < positions.size(); ++v)
      springs.push_back({v,
                         static_cast<int>(std::min(joints - 1.0, static_cast<double>(positions[v].y) * joints / 4.0)),
                         {0, static_cast<double>(positions[v].y), 0}});
  }
  PoseBatches batches() const {
    return [this](int step, int count) {
      return randomPoses(character.skeleton, {.count = count, .seed = static_cast<std::uint64_t>(step)});
    };
  }
};

// Weights that change from one joint to the next over a stretch about each border.
SparseWeights bands(const Mesh& mesh) {
  SparseWeights w(mesh.positions.size(), 2);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const float at = std::clamp(mesh.positions[v].y * 5 / 4 - 0.5F, 0.0F, 3.999F);
    const auto j = static_cast<std::uint16_t>(at);
    const float s = at - static_cast<float>(j);
    w.jointRow(v)[0] = j, w.weightRow(v)[0] = 1 - s;
    w.jointRow(v)[1] = static_cast<std::uint16_t>(j + 1), w.weightRow(v)[1] = s;
  }
  return w;
}

TEST(FitToWeights, ComesCloseToWhatItIsGiven) {
  for (FieldShape shape : {FieldShape::ScaleRotation, FieldShape::Triangular}) {
    Tube tube(shape);
    const FitReport report =
        fitToWeights(tube.field, tube.character.mesh.positions, bands(tube.character.mesh), weightFit(150));
    EXPECT_EQ(report.stop_reason, "done");
    ASSERT_EQ(report.loss.size(), 150U);
    EXPECT_LT(report.loss.back(), 0.2 * report.loss.front());
    EXPECT_LT(report.loss.back(), 0.01);
  }
}

TEST(FitToWeights, LeavesTheSlackAloneUnlessAsked) {
  Tube tube, moved;
  const std::vector<float> before(tube.field.logSlacks().begin(), tube.field.logSlacks().end());
  const SparseWeights target = bands(tube.character.mesh);
  ASSERT_EQ(fitToWeights(tube.field, tube.character.mesh.positions, target, weightFit(20)).stop_reason, "done");
  EXPECT_TRUE(std::equal(before.begin(), before.end(), tube.field.logSlacks().begin()));
  WeightFitOptions moving = weightFit(20);
  moving.moving.slack = true;
  ASSERT_EQ(fitToWeights(moved.field, moved.character.mesh.positions, target, moving).stop_reason, "done");
  EXPECT_FALSE(std::equal(before.begin(), before.end(), moved.field.logSlacks().begin()));
}

TEST(MinimizeLosses, MovesOnlyWhatItMay) {
  FieldParameters start = Tube().field;
  start.layout.normals = true;
  start.values.resize(start.layout.size(), 0.0F);
  std::vector<Vec3f> normals;
  for (const Vec3f& p : Tube().character.mesh.positions) normals.push_back(normalized(Vec3f{p.x, 0.4F, p.z}));
  for (float& log_slack : start.logSlacks()) log_slack = std::log(0.1F); // large enough to matter
  const FieldLayout layout = start.layout;
  for (bool sites : {false, true})
    for (bool slack : {false, true}) {
      Tube tube;
      tube.field = start;
      LossFitOptions options = lossFit(3);
      options.moving = {sites, slack};
      options.normals = normals;
      minimizeLosses(tube.field, tube.character.mesh, tube.springs, tube.batches(), options);
      const auto moved = [&](std::size_t begin, std::size_t end) {
        return !std::ranges::equal(std::span(start.values).subspan(begin, end - begin),
                                   std::span(tube.field.values).subspan(begin, end - begin));
      };
      EXPECT_EQ(moved(layout.centerBegin(), layout.offsetBegin()), sites);
      EXPECT_EQ(moved(layout.offsetBegin(), layout.slackBegin()), sites);
      EXPECT_EQ(moved(layout.slackBegin(), layout.falloffBegin()), slack);
      EXPECT_TRUE(moved(layout.falloffBegin(), layout.frontBegin()));
      EXPECT_TRUE(moved(layout.frontBegin(), layout.size()));
    }
}

TEST(MinimizeLosses, LowersTheLossOnPosesItHasNotSeen) {
  Tube tube;
  const auto heldOut = [&](FieldParameters field) {
    const PoseBatches unseen = [&](int, int) {
      return randomPoses(tube.character.skeleton, {.count = 16, .seed = 99999});
    };
    return minimizeLosses(field, tube.character.mesh, tube.springs, unseen, lossFit(1)).loss.at(0);
  };
  const double before = heldOut(tube.field);
  const FitReport report = minimizeLosses(tube.field, tube.character.mesh, tube.springs, tube.batches(), lossFit(100));
  EXPECT_EQ(report.stop_reason, "done");
  EXPECT_EQ(report.loss.size(), 100U);
  EXPECT_LT(heldOut(tube.field), 0.7 * before);
  for (float v : tube.field.values) EXPECT_TRUE(std::isfinite(v));
  for (float log_falloff : tube.field.logFalloffs()) EXPECT_GE(log_falloff, 0);
}

TEST(MinimizeLosses, DoesNotDependOnTheUnitsOfTheFile) {
  Tube cm, meters;
  for (Vec3f& p : meters.character.mesh.positions) p *= 0.01F;
  for (Joint& j : meters.character.skeleton.joints)
    j.bind = j.rest = Affine::fromTranslation(j.bind.translation() * 0.01);
  for (rig::BoneSpring& s : meters.springs) s.anchor *= 0.01;
  meters.field.unit_origin *= 0.01;
  meters.field.unit_scale *= 100;
  const double a = minimizeLosses(cm.field, cm.character.mesh, cm.springs, cm.batches(), lossFit(1)).loss.at(0);
  const double b =
      minimizeLosses(meters.field, meters.character.mesh, meters.springs, meters.batches(), lossFit(1)).loss.at(0);
  EXPECT_NEAR(a / b, 1, 1e-3);
}

TEST(MinimizeLosses, SameBytesForAnyThreadCount) {
  std::vector<float> values[3];
  for (int i = 0; i < 3; ++i) {
    const ThreadLimit limit(1 << i);
    Tube tube(FieldShape::ScaleRotation, 9);
    fitToWeights(tube.field, tube.character.mesh.positions, bands(tube.character.mesh), weightFit(10));
    minimizeLosses(tube.field, tube.character.mesh, tube.springs, tube.batches(), lossFit(10));
    values[i] = tube.field.values;
  }
  EXPECT_EQ(values[0], values[1]);
  EXPECT_EQ(values[0], values[2]);
}

TEST(MinimizeLosses, ScalarPathReachesTheSameLoss) {
  Tube simd, plain;
  const double fast =
      minimizeLosses(simd.field, simd.character.mesh, simd.springs, simd.batches(), lossFit(40)).loss.back();
  const kernels::ScalarOnly scalar;
  const double slow =
      minimizeLosses(plain.field, plain.character.mesh, plain.springs, plain.batches(), lossFit(40)).loss.back();
  EXPECT_NEAR(fast / slow, 1, 0.05);
}

TEST(FieldFit, StopsWhenAskedAndKeepsWhatItHas) {
  Tube tube;
  int calls = 0;
  const ProgressFunction progress = [&](const Progress& p) {
    EXPECT_EQ(p.stage, "losses");
    EXPECT_NEAR(p.fraction, calls / 100.0, 1e-12);
    return ++calls < 4;
  };
  const std::vector<float> before = tube.field.values;
  const FitReport report =
      minimizeLosses(tube.field, tube.character.mesh, tube.springs, tube.batches(), lossFit(100), progress);
  EXPECT_EQ(report.stop_reason, "cancelled");
  EXPECT_EQ(report.loss.size(), 3U);
  EXPECT_NE(tube.field.values, before);
}

TEST(FieldFit, KeepsTheLastGoodParametersWhenALossIsNotFinite) {
  Tube tube;
  const PoseBatches bad = [&](int step, int count) {
    auto poses = randomPoses(tube.character.skeleton, {.count = count});
    if (step == 2) poses[0][0].m[0][0] = NAN;
    return poses;
  };
  const FitReport report = minimizeLosses(tube.field, tube.character.mesh, tube.springs, bad, lossFit(100));
  EXPECT_EQ(report.stop_reason, "diverged");
  for (float v : tube.field.values) EXPECT_TRUE(std::isfinite(v));
}

TEST(FieldFit, NoVerticesIsFine) {
  Tube tube;
  const FitReport fit = fitToWeights(tube.field, {}, SparseWeights(0, 2), weightFit(2));
  EXPECT_EQ(fit.stop_reason, "done");
  EXPECT_EQ(minimizeLosses(tube.field, Mesh{}, {}, tube.batches(), lossFit(2)).stop_reason, "done");
}

} // namespace
} // namespace skincells::fit

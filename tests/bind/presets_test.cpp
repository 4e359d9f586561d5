// Presets, ablations, stops and the guard, on small characters.
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "bind/stages.h"
#include "skincells/bind.h"
#include "support/shapes.h"

namespace skincells {
namespace {

BindResult mustBind(const BindOptions& options, const Character& c = test::tubeCharacter()) {
  auto result = bind(c, options);
  EXPECT_TRUE(result) << result.error().text();
  return result ? *std::move(result) : BindResult{};
}

const LossCurve* curveOf(const BindResult& r, const std::string& name) {
  for (const LossCurve& c : r.report.curves)
    if (c.name == name) return &c;
  return nullptr;
}

bool warned(const BindResult& r, const std::string& code) {
  return std::ranges::any_of(r.report.warnings, [&](const Warning& w) { return w.code == code; });
}

BindOptions paper() {
  BindOptions o;
  o.preset = BindPreset::Paper;
  return o;
}

TEST(ResolveOptions, LeavesNothingOpen) {
  for (BindPreset preset : {BindPreset::Default, BindPreset::Paper})
    for (BindAblation ablation : {BindAblation::None, BindAblation::Falloff, BindAblation::Vertex}) {
      BindOptions o;
      o.preset = preset;
      o.ablation = ablation;
      const BindOptions resolved = resolveOptions(o);
      for (const auto& option : bindOptionTable())
        EXPECT_TRUE(option.group.empty() || option.get(resolved) != "auto") << option.name;
      EXPECT_TRUE(options::validate(bindOptionTable(), resolved));
    }
}

TEST(ResolveOptions, PaperIsThePaper) {
  const BindOptions o = resolveOptions(paper());
  EXPECT_EQ(o.smoothness_weight, 1);
  EXPECT_EQ(o.location_weight, 6000);
  EXPECT_EQ(o.sparsity_weight, 1);
  EXPECT_EQ(o.rate, 1e-3);
  EXPECT_EQ(o.center_rate, 1e-3);
  EXPECT_EQ(o.rate_schedule, RateSchedule::Constant);
  EXPECT_EQ(o.steps, 1500);
  EXPECT_EQ(o.pose_set, 1024);
  EXPECT_EQ(o.poses_per_step, 16);
  EXPECT_EQ(o.fit_steps, 0);
  EXPECT_EQ(o.refit_steps, 0);
  EXPECT_EQ(o.start, FieldStart::Paper);
  EXPECT_EQ(o.optimized_mesh, OptimizedMesh::Full);
}

TEST(ResolveOptions, GivenValuesBeatThePreset) {
  BindOptions o = paper();
  o.location_weight = 7;
  o.steps = 3;
  o.start = FieldStart::Bones;
  const BindOptions resolved = resolveOptions(o);
  EXPECT_EQ(resolved.location_weight, 7);
  EXPECT_EQ(resolved.steps, 3);
  EXPECT_EQ(resolved.start, FieldStart::Bones);
  EXPECT_EQ(resolved.rate, 1e-3);
}

TEST(ResolveOptions, QualitiesTakeMoreAndMoreSteps) {
  BindOptions draft, normal, high;
  draft.quality = BindQuality::Draft;
  high.quality = BindQuality::High;
  EXPECT_LT(*resolveOptions(draft).steps, *resolveOptions(normal).steps);
  EXPECT_LT(*resolveOptions(normal).steps, *resolveOptions(high).steps);
  EXPECT_LT(*resolveOptions(draft).fit_steps, *resolveOptions(normal).fit_steps);
  EXPECT_LT(*resolveOptions(normal).fit_steps, *resolveOptions(high).fit_steps);
}

TEST(Presets, PaperLooksAtNothingButTheBones) {
  BindOptions o = paper();
  o.steps = 20;
  const BindResult r = mustBind(o);
  ASSERT_EQ(r.report.curves.size(), 1U); // no fit, no refit
  EXPECT_EQ(r.report.curves[0].name, "losses");
  EXPECT_EQ(r.report.curves[0].values.size(), 20U);
  EXPECT_FALSE(r.report.guard.enabled);
  ASSERT_TRUE(r.field);
  // 20 steps of 1e-3 from r = 1, t = 1.
  FieldParameters field = *r.field;
  for (float log_falloff : field.logFalloffs()) EXPECT_LE(std::fabs(log_falloff), 0.03F);
  for (float log_offset : field.logOffsets()) EXPECT_LE(std::fabs(log_offset), 0.03F);
}

TEST(Presets, LossWeightsMatter) {
  const BindResult plain = mustBind({});
  BindOptions o;
  o.smoothness_weight = 0;
  EXPECT_NE(mustBind(o).weights.weights, plain.weights.weights);
  o = {};
  o.location_weight = 0;
  EXPECT_NE(mustBind(o).weights.weights, plain.weights.weights);
  o = {};
  o.smoothness_weight = 1;
  o.location_weight = 60;
  o.steps = 70;
  EXPECT_EQ(mustBind(o).weights.weights, plain.weights.weights); // what they are anyway
}

TEST(Ablations, OnlyWhatIsNamedMoves) {
  // From the paper's start every kind of parameter has something to gain, so that the held-out poses keep the moves.
  BindOptions o = paper();
  o.max_influences = 2; // fewer than joints: only then the slack matters
  o.rate = 0.03;
  o.steps = 0;
  FieldParameters start = *mustBind(o).field;
  o.steps = 25;
  const auto differs = [](std::span<float> a, std::span<float> b) { return !std::ranges::equal(a, b); };
  for (BindAblation ablation : {BindAblation::None, BindAblation::Falloff, BindAblation::SparseFalloff}) {
    o.ablation = ablation;
    const BindResult r = mustBind(o);
    ASSERT_TRUE(r.field);
    FieldParameters end = *r.field;
    const bool sites = ablation == BindAblation::None;
    EXPECT_EQ(differs(start.centers(), end.centers()), sites);
    EXPECT_EQ(differs(start.logOffsets(), end.logOffsets()), sites);
    EXPECT_EQ(differs(start.shapes(), end.shapes()), sites);
    EXPECT_EQ(differs(start.logSlacks(), end.logSlacks()), ablation != BindAblation::Falloff);
    EXPECT_TRUE(differs(start.logFalloffs(), end.logFalloffs()));
  }
}

TEST(Ablations, VertexHasNoField) {
  for (VertexStart start : {VertexStart::Heat, VertexStart::Proximity}) {
    BindOptions o;
    o.ablation = BindAblation::Vertex;
    o.vertex_start = start;
    const BindResult r = mustBind(o);
    EXPECT_FALSE(r.field);
    const LossCurve* losses = curveOf(r, "losses");
    ASSERT_TRUE(losses);
    EXPECT_LT(losses->held_out.back().loss, losses->held_out.front().loss);
    const WeightStatistics s = weightStatistics(r.weights, 4);
    EXPECT_EQ(s.unweighted_vertices, 0U);
    EXPECT_LE(s.max_influences, 4);
  }
}

TEST(EarlyStop, EndsALongRunThatHasSettled) {
  BindOptions o;
  o.steps = 3000;
  const BindResult r = mustBind(o);
  const LossCurve* losses = curveOf(r, "losses");
  ASSERT_TRUE(losses);
  EXPECT_EQ(losses->stop_reason, "settled");
  EXPECT_EQ(r.report.stop_reason, "settled");
  EXPECT_LT(losses->values.size(), 3000U);
  o.steps = 150;
  o.early_stop = false;
  const BindResult full = mustBind(o);
  EXPECT_EQ(full.report.stop_reason, "done");
  EXPECT_EQ(curveOf(full, "losses")->values.size(), 150U);
}

TEST(EarlyStop, CancelKeepsTheBestByHeldOutLoss) {
  int in_losses = 0;
  const auto r =
      bind(test::tubeCharacter(), {}, [&](const Progress& p) { return p.stage != "losses" || ++in_losses < 60; });
  ASSERT_TRUE(r);
  EXPECT_EQ(r->report.stop_reason, "cancelled");
  const LossCurve* losses = curveOf(*r, "losses");
  ASSERT_TRUE(losses);
  EXPECT_EQ(losses->stop_reason, "cancelled");
  EXPECT_GE(losses->held_out.size(), 3U); // before step 0, 25, 50, and where it was stopped
}

TEST(GuardInBind, IsQuietWhereAllIsWell) {
  const BindResult r = mustBind({});
  EXPECT_TRUE(r.report.guard.enabled);
  ASSERT_EQ(r.report.guard.findings.size(), 1U);
  EXPECT_EQ(r.report.guard.findings[0].candidate, "result");
  EXPECT_GT(r.report.guard.start_stretch_rms, 0);
  EXPECT_GT(r.report.guard.findings[0].stretch_rms, 0);
  EXPECT_FALSE(warned(r, "bind.guard"));
}

TEST(GuardInBind, GivesUpAnAbsurdResult) {
  // Smoothest of all is a skin that follows one joint alone.
  BindOptions o;
  o.location_weight = 0;
  o.refit_steps = 0;
  o.rate = 2;
  o.center_rate = 1;
  o.steps = 300;
  const BindResult guarded = mustBind(o);
  ASSERT_EQ(guarded.report.guard.findings.size(), 2U);
  EXPECT_EQ(guarded.report.guard.findings[0].candidate, "result");
  EXPECT_FALSE(guarded.report.guard.findings[0].accepted);
  EXPECT_GT(guarded.report.guard.findings[0].lost_joints, 0);
  EXPECT_EQ(guarded.report.guard.findings[1].candidate, "fit");
  EXPECT_TRUE(guarded.report.guard.findings[1].accepted);
  EXPECT_TRUE(warned(guarded, "bind.guard"));
  EXPECT_TRUE(guarded.field);
  const auto carried = weightStatistics(guarded.weights, 4).vertices_of_joint;
  EXPECT_TRUE(std::ranges::all_of(carried, [](std::uint32_t n) { return n > 0; }));

  o.guard = false;
  const BindResult unguarded = mustBind(o);
  EXPECT_EQ(unguarded.report.guard.findings.size(), 1U);
  EXPECT_FALSE(warned(unguarded, "bind.guard"));
  EXPECT_NE(unguarded.weights.weights, guarded.weights.weights);
}

TEST(Progress, LossesComeWithLossAndTimeLeft) {
  int with_loss = 0, with_time = 0, calls = 0;
  ASSERT_TRUE(bind(test::tubeCharacter(), {}, [&](const Progress& p) {
    if (p.stage != "losses") return true;
    ++calls;
    with_loss += p.loss && std::isfinite(*p.loss);
    with_time += p.seconds_left && *p.seconds_left >= 0;
    return true;
  }));
  EXPECT_GE(calls, 70);            // one for each step
  EXPECT_GE(with_loss, calls - 2); // not when the stage begins, nor before the first step
  EXPECT_GE(with_time, calls - 2);
}

TEST(SecondsLeft, FollowsFromTheShareOfTheStage) {
  using binding::secondsLeft;
  // Half of a stage that is half of the whole and ends it took 3 s: 3 more.
  EXPECT_NEAR(*secondsLeft(3, {0.5, 1}, 0.5), 3, 1e-9);
  // The same stage with as much again behind it.
  EXPECT_NEAR(*secondsLeft(3, {0, 0.5}, 0.5), 9, 1e-9);
  EXPECT_EQ(secondsLeft(3, {0, 0.5}, 0), std::nullopt);
  EXPECT_EQ(secondsLeft(0, {0, 0.5}, 0.5), std::nullopt);
  EXPECT_NEAR(*secondsLeft(3, {0.5, 1}, 1), 0, 1e-9);
}

} // namespace
} // namespace skincells

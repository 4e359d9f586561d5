// Early stop, cancelling, the guard and progress, on small characters.
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "bind/skin_cells.h"
#include "bind/stages.h"
#include "bind/training_poses.h"
#include "skincells/bind.h"
#include "support/shapes.h"
#include "support/torture.h"

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

TEST(EarlyStop, OffTakesAllSteps) {
  BindOptions o;
  o.early_stop = false;
  const BindResult r = mustBind(o);
  EXPECT_EQ(r.report.stop_reason, "done");
  EXPECT_EQ(curveOf(r, "losses")->values.size(), 35U);
}

TEST(Quality, DraftTakesFewerSteps) {
  BindOptions draft;
  draft.quality = BindQuality::Draft;
  draft.early_stop = false;
  const BindResult r = mustBind(draft);
  EXPECT_EQ(curveOf(r, "fit")->values.size(), 22U);
  EXPECT_EQ(curveOf(r, "losses")->values.size(), 18U);
  EXPECT_EQ(curveOf(r, "refit")->values.size(), 12U);
}

TEST(EarlyStop, CancelKeepsTheBestByHeldOutLoss) {
  int in_losses = 0;
  const auto r =
      bind(test::tubeCharacter(), {}, [&](const Progress& p) { return p.stage != "losses" || ++in_losses < 30; });
  ASSERT_TRUE(r);
  EXPECT_EQ(r->report.stop_reason, "cancelled");
  const LossCurve* losses = curveOf(*r, "losses");
  ASSERT_TRUE(losses);
  EXPECT_EQ(losses->stop_reason, "cancelled");
  EXPECT_GE(losses->held_out.size(), 3U); // before step 0, 25, and where it was stopped
}

TEST(GuardInBind, AcceptsASoundResult) {
  const BindResult r = mustBind({});
  EXPECT_TRUE(r.report.guard.enabled);
  ASSERT_EQ(r.report.guard.findings.size(), 1U);
  EXPECT_EQ(r.report.guard.findings[0].candidate, "result");
  EXPECT_GT(r.report.guard.start_stretch_rms, 0);
  EXPECT_GT(r.report.guard.findings[0].stretch_rms, 0);
  EXPECT_FALSE(warned(r, "bind.guard"));
}

TEST(Ladder, NamesTheRungAndWhyBetterOnesWereNot) {
  const Character c = test::tubeCharacter();
  const Mesh welded = weldedMesh(c.mesh, weldByPosition(c.mesh.positions, weldTolerance(c.mesh)));
  const rig::DeformRig rig{c.skeleton, {0, 1, 2, 3}, {}};
  const BindOptions options;
  auto poses = binding::choosePoses(c, rig.deforming, options);
  ASSERT_TRUE(poses);
  fit::Tuning tuning = binding::tuningFor(options);
  for (fit::Rates* rates : {&tuning.fit_rates, &tuning.loss_rates, &tuning.refit_rates}) *rates = {40, 40}; // wreck it
  std::vector<StageTime> timings;
  const ProgressFunction progress;
  binding::Stages stages(progress, timings);
  const auto cells = binding::computeSkinCells(welded, rig, nullptr, poses->batches, options, tuning, stages);
  ASSERT_TRUE(cells);
  const auto& findings = cells->guard.findings;
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings.back().candidate, "heat");
  for (std::size_t f = 0; f + 1 < findings.size(); ++f) {
    EXPECT_FALSE(findings[f].accepted);
    EXPECT_NE(cells->guard_complaint.find(findings[f].candidate + ": " + findings[f].reason), std::string::npos);
  }
  EXPECT_FALSE(cells->field);
  test::expectSound(c, cells->weights, options.max_influences);
}

TEST(TimeLimit, KeepsWhatThereIs) {
  BindOptions options;
  options.time_limit = 1e-9; // over before the first stage
  const BindResult r = mustBind(options);
  EXPECT_EQ(r.report.stop_reason, "time_limit");
  EXPECT_TRUE(warned(r, "bind.time_limit"));
  BindOptions proximity;
  proximity.method = BindMethod::Proximity;
  EXPECT_EQ(r.weights.weights, mustBind(proximity).weights.weights);
  options.time_limit = 1e5;
  EXPECT_EQ(mustBind(options).weights.weights, mustBind({}).weights.weights);
  EXPECT_FALSE(mustBind(options).report.stoppedEarly());
}

TEST(Interrupt, GivesASoundResultAtAnyMomentIfAskedTo) {
  BindOptions options;
  options.on_interrupt = InterruptChoice::Keep;
  const Character c = test::tubeCharacter();
  for (int stop : {1, 2, 3, 5, 40, 80}) {
    int seen = 0;
    const auto r = bind(c, options, [&](const Progress&) { return ++seen < stop; });
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_EQ(r->report.stop_reason, "cancelled") << stop;
    EXPECT_TRUE(warned(*r, "bind.interrupted"));
    test::expectSound(c, r->weights, options.max_influences);
  }
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
  EXPECT_GE(calls, 35);            // one for each step
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

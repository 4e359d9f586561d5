// Every number that the optimization of a field was tuned with, in one place. Each section names the rows of
// docs/experiments.md that measured it; they are in the table "Field" unless another is named.
#pragma once

#include "loss/pose_losses.h"
#include "optim/descent.h"

namespace skincells::fit {

// Rates of Adam.
struct Rates {
  double rate = 0;        // all parameters but site centers
  double center_rate = 0; // site centers, in unit boxes
  double full_spread = 0; // cells whose sites spread less than this, in unit boxes, move their centers more slowly
};

// Sites of a finger that move as fast as those of a thigh amplify rounding. Row: "Sites of a cell that spreads less
// ...".
inline constexpr double kFullSpread = 0.1;
inline constexpr double kLeastCenterRate = 0.1; // of the center rate, for the smallest cells

// The defaults are those of quality `normal`.
struct Tuning {
  // Fit to the guess. Rows: "Rate of the fit ...", "Twice the steps of fit and refit ...".
  int fit_steps = 45;
  Rates fit_rates{0.06, 0.003, kFullSpread};

  // Pose losses. Rows: "... steps of the pose losses ...", "8 poses per step ...", "Location loss 4 times as strong
  // ..."; table "Steps and quality".
  int loss_steps = 35;
  int poses_per_step = 4;                      // a multiple of 4 wastes nothing
  int pose_batches = 0;                        // see LossFitOptions
  Rates loss_rates{0.03, 0.0015, kFullSpread}; // one rate above 0.02 for centers diverges
  loss::LossWeights loss_weights{};            // smoothness 1, location 60, sparsity 1
  int held_out_poses = 8;      // two quads: enough to tell better from worse, cheap enough to measure often
  optim::WatchOptions watch{}; // when the held-out loss is measured, and when it counts as settled

  // Refit to a blend of guess and field. Rows: "Share ...".
  int refit_steps = 25;
  Rates refit_rates{0.02, 0.002, kFullSpread};
  double guess_share = 0.5;  // mean share of the guess in the blend, 0 .. 1
  double trust_spread = 0.3; // the share rises by this much from no trust in the guess to full trust, around the mean
};

// The terms of garments (docs/garments.md).
inline constexpr double kCollisionWeight = 10;
inline constexpr double kStretchWeight = 0.5;
inline constexpr int kGarmentPoseBatches = 8; // the body is posed once for each

// Where sites start. Row: "Sites start in the region of influence ...".
inline constexpr double kOwnedWeight = 0.3;  // a cell's sites are placed among the points it holds above this weight
inline constexpr double kOwnedSpread = 0.05; // from no to full ownership, on both sides of it
inline constexpr int kPlacementRounds = 4;   // of Lloyd's iteration
// Then back toward the bone by this part of the way: a site must not lie on a vertex, whose direction from it would be
// rounding alone.
inline constexpr double kPlacementPull = 0.05;

// The guard's limits, chosen so that no measured character comes near them ("Limits of the guard").
inline constexpr double kStretchFactor = 1.5;      // times the stretch of the start
inline constexpr double kStretchFloor = 0.25;      // stretch below this is always accepted
inline constexpr double kStretchNoticed = 1.2;     // times the stretch of the start: the result is compared with heat
inline constexpr double kLeastWeight = 8;          // sum of weights; joints with less at the start may lose all of it
inline constexpr double kLeastWeightShare = 0.003; // the same, relative to the number of vertices
inline constexpr double kLostBelow = 0.02;         // a joint is lost when less than this share of its weight is left

// Quality `draft`: about half the steps (table "Steps and quality").
inline Tuning draftTuning() {
  Tuning tuning;
  tuning.fit_steps = 22;
  tuning.loss_steps = 18;
  tuning.refit_steps = 12;
  return tuning;
}

// A start from the field of a character with the same skeleton: a third of the fit, half of the rest.
inline Tuning warmTuning(Tuning tuning) {
  tuning.fit_steps = (tuning.fit_steps + 2) / 3;
  tuning.loss_steps = (tuning.loss_steps + 1) / 2;
  tuning.refit_steps = (tuning.refit_steps + 1) / 2;
  return tuning;
}

} // namespace skincells::fit

// Minimization with Adam: the loop, the held-out loss that decides which state is kept, and when to stop.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "optim/adam.h"

namespace skincells::optim {

enum class Schedule { Cosine, Constant };

// When the held-out loss is measured, and when it counts as settled.
struct WatchOptions {
  int every = 25;         // steps between measurements
  int patience = 4;       // measurements over which it has to improve
  double min_gain = 2e-3; // relative improvement over that many measurements; below this, the loss is settled
  bool stop = true;       // stop when settled; otherwise only the best state is kept
};

struct DescentOptions {
  int steps = 100;
  Schedule schedule = Schedule::Cosine;
  WatchOptions watch = {};
};

// What is minimized. The functions read the current `values` of `descend`.
struct Objective {
  std::function<double(int step, std::span<float> gradient)> measure; // the loss and its derivative
  std::function<double()> held_out = {};                              // a loss that is not minimized; may be empty
  std::function<void()> constrain = {}; // moves the numbers back into their range; may be empty
  // Called before each step with the fraction of steps done and the loss of the previous step (not finite before the
  // first); false stops. May be empty.
  std::function<bool(double fraction, double loss)> go_on = {};
};

struct HeldOutSample {
  int step = 0; // measured before this step
  double loss = 0;
};

struct DescentReport {
  std::vector<double> loss;            // before each step
  std::vector<HeldOutSample> held_out; // empty without a held-out loss
  std::string stop_reason = "done";    // or "settled", "cancelled", "diverged"
};

// Minimizes the objective over `values`. With a held-out loss, the values with the lowest one are kept for every stop
// reason, possibly those at the start. Otherwise the last values are kept, or, after a loss that is not finite, the
// last ones with a finite loss.
DescentReport descend(std::span<float> values, Adam& adam, const DescentOptions& options, const Objective& objective);

} // namespace skincells::optim

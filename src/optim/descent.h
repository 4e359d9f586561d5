// Going downhill with Adam: the loop, a watch over what was not trained on, and when to stop.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "optim/adam.h"

namespace skincells::optim {

enum class Schedule { Cosine, Constant };

// When the held-out loss is looked at, and when it counts as settled.
struct WatchOptions {
  int every = 25;           // steps
  int patience = 4;         // looks
  double least_gain = 2e-3; // of the loss itself, over that many looks; less is settled
  bool stop = true;         // end when settled; otherwise only the best state is kept
};

struct DescentOptions {
  int steps = 100;
  Schedule schedule = Schedule::Cosine;
  WatchOptions watch = {};
};

// What is minimized. The functions look at the numbers where `descend` keeps them.
struct Objective {
  std::function<double(int step, std::span<float> gradient)> measure; // the loss and its derivative
  std::function<double()> held_out = {};                              // a loss that is never trained on; may be empty
  std::function<void()> constrain = {}; // brings the numbers back into range; may be empty
  // Asked before each step, with the fraction of steps done and the loss of the last (not finite before the first);
  // false stops. May be empty.
  std::function<bool(double fraction, double loss)> go_on = {};
};

struct HeldOutLoss {
  int step = 0; // before this step
  double loss = 0;
};

struct DescentReport {
  std::vector<double> loss;          // before each step
  std::vector<HeldOutLoss> held_out; // empty where nothing is held out
  std::string stop_reason = "done";  // or "settled", "cancelled", "diverged"
};

// Moves `values` downhill. Where something is held out, the values with its lowest loss are kept, whatever ended the
// descent; the start is one of the candidates. Otherwise the last values are kept, or, when a loss was not finite, the
// last that had a finite one.
DescentReport descend(std::span<float> values, Adam& adam, const DescentOptions& options, const Objective& objective);

} // namespace skincells::optim

// How an optimization went, and what the guard decided.
#pragma once

#include <string>
#include <vector>

namespace skincells {

// The loss over poses that were never trained on, before step `step`.
struct HeldOutLoss {
  int step = 0;
  double loss = 0;
};

// How a stage of the optimization went.
struct LossCurve {
  std::string name;                  // "fit", "losses", "refit"
  std::vector<double> values;        // training loss before each step
  std::vector<HeldOutLoss> held_out; // where the stage watches it; the state with the lowest was kept
  // "done": all steps were taken; "settled": the held-out loss had stopped falling; "cancelled"; "diverged"
  std::string stop_reason = "done";
};

// What the guard found in one candidate for the result, measured on the mesh that was optimized.
struct GuardFinding {
  std::string candidate;  // "result", "fit", "proximity"
  double stretch_rms = 0; // of |ln(posed / bind edge length)| over held-out poses
  int empty_vertices = 0; // without a usable weight
  int lost_joints = 0;    // that carried flesh at the start and now carry none
  bool accepted = true;
};

struct GuardReport {
  bool enabled = false;
  double start_stretch_rms = 0;       // of the guess; of proximity where there is none
  std::vector<GuardFinding> findings; // in the order in which they were tried; the last one is the result
};

} // namespace skincells

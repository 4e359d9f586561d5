// Records of an optimization and of the guard that checks its result.
#pragma once

#include <string>
#include <vector>

namespace skincells {

// The loss over held-out poses before step `step`.
struct HeldOutLoss {
  int step = 0;
  double loss = 0;
};

// The loss of one stage of the optimization, step by step.
struct LossCurve {
  std::string name;                  // "fit", "losses", "refit"
  std::vector<double> values;        // training loss before each step
  std::vector<HeldOutLoss> held_out; // if the stage measures it; the state with the lowest one is the result
  // "done": all steps were taken; "settled": the held-out loss no longer decreased; "cancelled"; "diverged"
  std::string stop_reason = "done";
};

// Measurements of the guard for one candidate, on the mesh that was optimized.
struct GuardFinding {
  // A rung of the ladder: "result" (the optimized field), "fit" (the field before the pose losses), "heat", "proximity"
  // or "rigid" (each vertex follows the nearest joint)
  std::string candidate;
  double stretch_rms = 0; // rms of |ln(posed / bind edge length)| over held-out poses
  int empty_vertices = 0; // vertices without a usable weight
  int lost_joints = 0;    // joints that had a region of influence at the start and now have none
  bool accepted = true;
  std::string reason = ""; // why it was rejected; empty: it was not
};

struct GuardReport {
  bool enabled = false;
  double start_stretch_rms = 0;       // stretch of the guess, or of proximity weights if there is no guess
  std::vector<GuardFinding> findings; // in the order they were tried; the last one is the result
};

} // namespace skincells

// Steady heat on a surface: every vertex is held, more or less strongly, to its joint, and the rest diffuses along the
// surface (Baran and Popovic 2007, "Automatic Rigging and Animation of 3D Characters").
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "mesh/surface_measure.h"
#include "skincells/weights.h"

namespace skincells::guess {

// The joint that a vertex is held to. hold: > 0, finite.
struct HeatSource {
  int joint = -1; // -1: none; its hold then counts as a loss of heat and should be tiny
  double hold = 0;
};

// Solves (L + diag(hold)) W = diag(hold) P for all joints at once, L the Laplacian of `edges` (weights > 0) and P the
// indicator of each vertex's source, and keeps the `slots` largest weights of each row, scaled to sum to 1.
// No row is empty if every hold is positive. Same bytes for any number of threads.
class HeatSolver {
public:
  explicit HeatSolver(std::span<const mesh::EdgeWeight> edges); // which must outlive the solver
  ~HeatSolver();
  HeatSolver(const HeatSolver&) = delete;
  HeatSolver& operator=(const HeatSolver&) = delete;

  // What depends on the edges alone is prepared once, so every further solve of as many vertices is cheaper.
  SparseWeights solve(std::span<const HeatSource> sources, int slots);
  // With a row of weights as the source of each vertex: P is `rows`. holds: > 0, finite, one per row.
  SparseWeights solve(const SparseWeights& rows, std::span<const double> holds, int slots);

private:
  struct State;
  std::unique_ptr<State> state_;
};

// A single solve.
SparseWeights solveHeat(std::span<const mesh::EdgeWeight> edges, std::span<const HeatSource> sources, int slots);
SparseWeights solveHeat(std::span<const mesh::EdgeWeight> edges, const SparseWeights& rows,
                        std::span<const double> holds, int slots);

} // namespace skincells::guess

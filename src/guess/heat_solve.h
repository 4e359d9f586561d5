// Steady heat on a surface: every vertex is held, more or less firmly, at the joint it belongs to, and the rest spreads
// along the surface (Baran and Popovic 2007, "Automatic Rigging and Animation of 3D Characters").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/surface_measure.h"
#include "skincells/weights.h"

namespace skincells::guess {

// Where a vertex is held. hold: > 0, finite.
struct HeatSource {
  int joint = -1; // -1: not held to anything; its hold still counts as a loss of heat and should be tiny
  double hold = 0;
};

// Solves (L + diag(hold)) W = diag(hold) P for all joints at once, L the Laplacian of `edges` (weights > 0) and P the
// indicator of each vertex's source, and keeps the `slots` largest weights of each row, scaled to sum to 1.
// Every row of the result has weight when every hold is positive. Same bytes for any number of threads.
SparseWeights solveHeat(std::span<const mesh::EdgeWeight> edges, std::span<const HeatSource> sources, int slots);

} // namespace skincells::guess

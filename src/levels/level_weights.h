// Weights for a simplified level, such that its posed surface follows the posed surface of level 0.
#pragma once

#include <memory>
#include <vector>

#include "levels/level_samples.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::levels {

// Finds rows of at most `max_influences` joints, one per vertex of the level. The result does not depend on the number
// of threads. The arguments of the constructor must outlive the object.
class LevelFit {
public:
  // full: the rows of level 0, which define the surface to follow. allowed: the same rows, or those left after joints
  // were merged; a vertex uses only joints of its row in `allowed` and of the samples around it.
  LevelFit(const LevelShape& shape, const SparseWeights& full, const SparseWeights& allowed,
           const std::vector<Pose>& poses, int max_influences);
  ~LevelFit();

  // Rows that move each vertex as close as possible to where its full row moves it, without regard to the surface
  // between vertices. Rows that are short enough do not change; connected parts with one row for all vertices keep one
  // row.
  SparseWeights byVertex() const;

  // The same rows, improved vertex by vertex in a few sweeps: least squares over the poses and the samples of level 0
  // around the vertex. Distances along the surface count less, since sliding is hardly visible.
  // geometry: share of the distance between the surfaces in bind pose for which the weights compensate in the other
  // poses, 0 .. 1. At 0 the level keeps its distance from level 0.
  SparseWeights bySurface(double geometry) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace skincells::levels

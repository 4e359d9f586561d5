// Weights for a simplified level: those with which its posed surface follows the posed surface of level 0.
#pragma once

#include <memory>
#include <vector>

#include "levels/level_samples.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::levels {

// Finds rows of at most `max_influences` joints, by vertex of the level. The result does not depend on the number of
// threads. What it is given must outlive it.
class LevelFit {
public:
  // full: the rows of level 0 by vertex, which say where its surface goes. allowed: the same rows, or what is left of
  // them after joints were merged; a vertex uses joints of its own row there or of the samples around it.
  LevelFit(const LevelShape& shape, const SparseWeights& full, const SparseWeights& allowed,
           const std::vector<Pose>& poses, int max_influences);
  ~LevelFit();

  // Rows that bring each vertex as near as they can to where its full row brings it, whatever happens between vertices.
  // Rows that are short enough stay as they are; connected parts with one row throughout keep one row.
  SparseWeights byVertex() const;

  // Those rows, improved vertex by vertex in a few sweeps: least squares over the poses and over the samples of level 0
  // around the vertex, mostly across the surface, since sliding along it shows little.
  // geometry: how much of the distance between the surfaces in bind pose the weights should try to make up for in the
  // other poses, 0 .. 1. Where both bend alike that helps; at 0 the level moves as level 0 does, distance and all.
  SparseWeights bySurface(double geometry) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace skincells::levels

// How far vertices are from the joints that move them.
#pragma once

#include <vector>

#include "skincells/character.h"

namespace skincells::metrics {

// Vertices count by area. A bone is the segments from a joint to its children.
struct JointReach {
  double mean_percent = 0;           // mean distance of a vertex from the bones that move it, % of the diagonal
  double stray_percent = 0;          // largest weight of a joint in patches elsewhere than the joint, % of all weight
  std::vector<double> of_joint = {}; // weight in such patches, by joint, % of all weight
};

// A patch is a connected piece of surface where a joint has at least a quarter of the weight. A vertex of it is at home
// if the joint's bone is at most 3 % of the diagonal farther away than 1.5 times the distance to the nearest bone, or
// if the joint is that bone's joint or next to it in the skeleton. A patch strays if less than a quarter of it is at
// home. weights: normalized rows, one per vertex.
JointReach measureReach(const Character& character, const SparseWeights& weights);

} // namespace skincells::metrics

// Bleeding: limbs that lie close in the bind pose and share weights.
#pragma once

#include <cstdint>
#include <vector>

#include "skincells/mesh.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells {

// Weight that vertices give to joints which the surface around them does not lead to. Needs no reference.
// A joint's home is where its weight is at least half of its largest: the connected patch with the most of it, and
// other patches with a quarter of that or more. A path leads along edges from the home over vertices that carry at
// least 1 % of the joint; one vertex at a time that does not may be crossed. Weight bleeds if no path leads to its
// vertex, or if the shortest is longer than 1.5 times the straight distance to the home plus 5 % of the diagonal.
// Weight of the joint that leads the vertices around, or of one that is at most two joints above or below that joint in
// the skeleton, does not bleed.
struct Bleeding {
  double percent = 0;           // of all weight, vertices counted by area
  std::uint32_t vertices = 0;   // with at least 5 % bleeding weight
  std::vector<double> of_joint; // parts of `percent`, by joint
  std::vector<float> of_vertex; // bleeding weight of each vertex, 0 .. 1
};

// weights: one row per vertex, of joints of the skeleton.
Bleeding measureBleeding(const Mesh& mesh, const SparseWeights& weights, const Skeleton& skeleton);

} // namespace skincells

// How far vertices are from the joints that move them.
#pragma once

#include <vector>

#include "metrics/welded_surface.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::metrics {

// Vertices count by area. A bone is the segments from a joint to its children.
struct JointReach {
  double size_factor = 1;            // between the joints and the places that they move; 1: of one size
  double stray_percent = 0;          // largest of of_joint
  std::vector<double> of_joint = {}; // weight in stray patches plus far weight, by joint, % of all weight
};

// A patch is a connected piece of surface where a joint has at least a quarter of the weight. A vertex of it is at home
// if the joint's bone is at most 3 % of the diagonal farther away than 1.5 times the distance to the nearest bone, or
// if the joint is that bone's joint or next to it in the skeleton. A patch strays if less than a quarter of it is at
// home. Weight is far where the bone is more than 10 % of the diagonal farther away than that, and the joint is not
// within two steps above or below the nearest one; weight may be both. Size: the spread of the joints against that of
// the centers of the surfaces that they move. weights: normalized rows, one per vertex.
JointReach measureReach(const WeldedSurface& surface, const Skeleton& skeleton, const SparseWeights& weights);

} // namespace skincells::metrics

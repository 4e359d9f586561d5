// A character: mesh, skeleton and, where the file had them, weights and motion.
#pragma once

#include <string>
#include <vector>

#include "skincells/mesh.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells {

struct Character {
  std::string name;
  Mesh mesh;
  Skeleton skeleton;
  SparseWeights weights; // empty when the input has no skin; canonical rows otherwise, all-zero where unweighted
  std::vector<Pose> clip_poses = {}; // a selection from the file's clips, spread evenly; empty when it has none
};

} // namespace skincells

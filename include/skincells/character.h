// A character: mesh, skeleton and, if the file has them, weights and motion.
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
  SparseWeights weights; // empty if the input has no skin; else canonical rows, all zero for unweighted vertices
  std::vector<Pose> clip_poses = {}; // poses spread evenly over the file's clips; empty if it has none
};

} // namespace skincells

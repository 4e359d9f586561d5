// A character: mesh, skeleton and, where the file had them, weights.
#pragma once

#include <string>

#include "skincells/mesh.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells {

struct Character {
  std::string name;
  Mesh mesh;
  Skeleton skeleton;
  SparseWeights weights; // empty when the input has no skin; canonical rows otherwise, all-zero where unweighted
};

} // namespace skincells

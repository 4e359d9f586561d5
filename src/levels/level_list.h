// What the options of levels ask for.
#pragma once

#include <vector>

#include "skincells/levels.h"

namespace skincells::levels {

struct LevelWish {
  double ratio = 1;    // of the triangles, above 0, at most 1
  int influences = 4;  // 1 .. kMaxInfluences
  int joints = 0;      // 0: all
  double coverage = 0; // down to which share of the screen it is shown
};

// One entry per level. Lists of influences and joints that are shorter go on with their last number; longer ones are an
// error, as are levels that grow. Screen coverage, where it is given, has one number per level.
Result<std::vector<LevelWish>> parseLevels(const LodOptions& options);

} // namespace skincells::levels

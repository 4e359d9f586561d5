// The options for levels of detail, parsed.
#pragma once

#include <vector>

#include "skincells/levels.h"

namespace skincells::levels {

struct LevelTarget {
  double ratio = 1;    // share of the triangles, above 0, at most 1
  int influences = 4;  // most joints per vertex, 1 .. kMaxInfluences
  int joints = 0;      // most joints with weight; 0: all
  double coverage = 0; // screen coverage down to which the level is shown, 0 .. 1
};

// One entry per level. In shorter lists of influences and joints the last number applies to all further levels; longer
// lists are an error, and so are levels that increase. Screen coverage, if given, needs one number per level.
Result<std::vector<LevelTarget>> parseLevels(const LodOptions& options);

} // namespace skincells::levels

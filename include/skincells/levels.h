// Levels of detail: options and measurements.
#pragma once

#include <string>

#include "skincells/options.h"

namespace skincells {

struct LodOptions {
  std::string levels = "1,0.5,0.25,0.1"; // share of the triangles that each level keeps, 0 .. 1, not increasing
  std::string influences = "4"; // most joints per vertex by level; the last number applies to all further levels
  std::string joints_per_level; // most joints with weight by level, 0: all; empty: all
  int random_poses = 12;        // random poses in which levels are measured
  int clip_poses = 12;          // poses of the file's clips in which levels are measured, if it has any
  double random_angle = 35;     // largest rotation of a joint in a random pose, degrees
  bool single_file = false;     // all levels in one file, with the extension MSFT_lod
  // With single_file: the screen coverage down to which each level is shown, 0 .. 1, decreasing. A last value of 0
  // never hides the character. Empty: a level takes over when the coverage falls below its share of triangles.
  std::string screen_coverage;
};
const OptionTable<LodOptions>& lodOptionTable();

// A joint that a level does not use: its weight goes to the nearest ancestor with weight.
struct MergedJoint {
  int joint = -1, into = -1;
  double rms_percent = 0; // distance that vertices move because of it, over all vertices and poses, % of the diagonal
};

// Distance between the surfaces of a level and of level 0, measured in both directions at the vertices (at evenly
// chosen ones on large meshes), in % of the diagonal.
struct SurfaceError {
  double rms_percent = 0, max_percent = 0;
};

} // namespace skincells

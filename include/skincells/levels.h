// Levels of detail: what is asked for, and how a level is measured.
#pragma once

#include <string>

#include "skincells/options.h"

namespace skincells {

struct LodOptions {
  std::string levels = "1,0.5,0.25,0.1"; // share of the triangles that each level keeps, 0 .. 1, falling
  std::string influences = "4";          // most joints per vertex by level; the last one holds for further levels
  std::string joints_per_level;          // most joints that carry weight by level, 0: all; empty: all
  int random_poses = 12;                 // in which levels are measured
  int clip_poses = 12;                   // and poses of the file's clips, where it has any
  double random_angle = 35;              // largest turn of a joint in a random pose, degrees
  bool single_file = false;              // all levels in one file, by the extension MSFT_lod
  // For one file: the share of the screen down to which each level is shown, 0 .. 1, falling; the last one may be 0,
  // which never hides the character. Empty: a level takes over where the share falls below its share of triangles.
  std::string screen_coverage;
};
const OptionTable<LodOptions>& lodOptionTable();

// A joint that a level does without: its weight goes to the nearest ancestor that carries weight.
struct MergedJoint {
  int joint = -1, into = -1;
  double rms_percent = 0; // how far vertices move for it, over all of them and the poses, in % of the diagonal
};

// How far the surface of a level is from that of level 0, measured both ways at the vertices, at an even choice of them
// on large meshes; % of the diagonal.
struct SurfaceError {
  double rms_percent = 0, max_percent = 0;
};

} // namespace skincells

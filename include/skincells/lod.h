// Levels of detail: simplified copies of a character that bend like it, with weights from one field.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "skincells/bind.h"
#include "skincells/character_file.h"
#include "skincells/metrics.h"
#include "skincells/options.h"
#include "skincells/progress.h"
#include "skincells/result.h"

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

struct LodLevel {
  std::string path;
  double ratio = 1;
  double screen_coverage = 0; // in one file: down to this share of the screen
  int max_influences = 4;
  std::uint32_t vertex_count = 0, triangle_count = 0;
  int joint_count = 0;        // that carry weight
  SurfaceError geometry;      // in bind pose
  SurfaceError posed;         // over all poses
  SurfaceError closest_point; // the same with weights copied from the closest point of level 0, cut to the influences
  std::vector<MergedJoint> merged;
};

struct LodResult {
  std::string input;
  std::vector<LodLevel> levels;
  int pose_count = 0;
  Warnings warnings;
  std::vector<StageTime> timings;
};

struct LodJob {
  std::string output; // level 0 gets this name, level n "_lodN" before the extension; or all levels in one file do
  std::string field;  // a field file (.skc) of the character; empty: it is bound first
  LodOptions options;
  BindOptions bind; // of the field; its influences are the most that any level has
  WriteOptions write;
};

// Binds the character once (or takes its field), simplifies it level by level, gives every level weights of the one
// field, measures and writes them all. Vertices of a level are vertices of the character, with all their attributes;
// seams, borders and parts stay whole; triangles stay where poses bend the surface. A level of 1 is the character as it
// is. Levels that the file has already are replaced. Nothing is written when a level fails.
Result<LodResult> writeLods(const CharacterFile& file, const LodJob& job, const ProgressFunction& progress = {});

} // namespace skincells

// Levels of detail: simplified copies of a character that bend like it, with weights from one field.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "skincells/bind.h"
#include "skincells/io/character_file.h"
#include "skincells/levels.h"
#include "skincells/metrics.h"
#include "skincells/options.h"
#include "skincells/progress.h"
#include "skincells/result.h"

namespace skincells {

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

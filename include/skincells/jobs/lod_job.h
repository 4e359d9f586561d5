// The command `lod`: simplified copies of a character that deform like it, with weights from one field.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "skincells/bind.h"
#include "skincells/io/character_file.h"
#include "skincells/jobs/job_files.h"
#include "skincells/levels.h"
#include "skincells/progress.h"
#include "skincells/result.h"

namespace skincells {

struct LodJob {
  std::string input;
  // Level 0 is written under this name, level n with "_lodN" before the extension; a single file holds all levels.
  std::string output;
  std::string field; // a field file (.skc) of the character; empty: the character is bound first
  ReadOptions read;
  LodOptions lod;
  BindOptions bind; // for the field; `max_influences` is replaced by the largest number that any level asks for
  WriteOptions write;
};

struct LodLevel {
  std::string path;
  double ratio = 1;
  double screen_coverage = 0; // in a single file: share of the screen down to which the level is shown
  int max_influences = 4;
  std::uint32_t vertex_count = 0, triangle_count = 0;
  int joint_count = 0;        // joints that carry weight
  SurfaceError geometry;      // in bind pose
  SurfaceError posed;         // over all poses
  SurfaceError closest_point; // as `posed`, with weights copied from the closest point of level 0
  std::vector<MergedJoint> merged;
};

struct LodResult {
  std::vector<LodLevel> levels;
  int pose_count = 0;
  Warnings warnings;
  std::vector<StageTime> timings;
};

struct LodOutcome {
  LodJob job;
  CharacterFile input;
  LodResult result;
};

// Binds the character once (or reads its field), simplifies it level by level, gives each level weights from that
// field, then measures and writes all levels. Vertices of a level are vertices of the character with all their
// attributes; connected parts are never removed; more triangles are kept where poses bend the surface. A level of 1 is
// the unchanged character. Levels that the file already has are replaced. Nothing is written if a level fails.
// `job.input` and `job.read` are ignored.
Result<LodResult> writeLods(const CharacterFile& file, const LodJob& job, const ProgressFunction& progress = {});
// The same as a part of a run: outputs are staged, and appear when `outputs` are committed.
Result<LodResult> writeLods(const CharacterFile& file, const LodJob& job, OutputSet& outputs,
                            const ProgressFunction& progress = {});

JobFiles filesOf(const LodJob& job);
// Reads the input and calls writeLods.
Result<LodOutcome> run(const LodJob& job, const ProgressFunction& progress = {});
// The same as a part of a run: outputs are staged, and appear when `outputs` are committed.
Result<LodOutcome> run(const LodJob& job, OutputSet& outputs, const ProgressFunction& progress = {});

} // namespace skincells

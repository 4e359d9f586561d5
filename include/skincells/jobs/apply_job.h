// The command `apply`: gives a mesh or a point cloud weights from a field.
#pragma once

#include <string>
#include <variant>

#include "skincells/apply.h"
#include "skincells/io/character_file.h"
#include "skincells/io/point_cloud.h"
#include "skincells/jobs/job_files.h"
#include "skincells/progress.h"

namespace skincells {

struct ApplyJob {
  std::string field;  // a field file (.skc), or a glTF file with an embedded field
  std::string input;  // a character, or a point cloud (.ply)
  std::string output; // .glb, .gltf or .vrm; .ply for a point cloud
  ReadOptions read;   // for characters
  ApplyOptions apply;
  WriteOptions write;
};

struct ApplyOutcome {
  ApplyJob job;
  FieldDocument field;
  std::variant<CharacterFile, PointCloudFile> input;
  ApplyResult result;
};

JobFiles filesOf(const ApplyJob& job);
// A .ply input with a .ply output is a point cloud and keeps all its other properties. A .ply input with any other
// output is imported as a mesh and must have faces.
Result<ApplyOutcome> run(const ApplyJob& job, const ProgressFunction& progress = {});
// The same as a part of a run: outputs are staged, and appear when `outputs` are committed.
Result<ApplyOutcome> run(const ApplyJob& job, OutputSet& outputs, const ProgressFunction& progress = {});

} // namespace skincells

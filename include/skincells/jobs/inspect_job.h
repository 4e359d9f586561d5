// The command `inspect`: lists what is in a character file or a field file.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "skincells/field_document.h"
#include "skincells/io/character_file.h"
#include "skincells/io/point_cloud.h"
#include "skincells/jobs/job_files.h"
#include "skincells/mesh.h"
#include "skincells/progress.h"
#include "skincells/weights.h"

namespace skincells {

struct InspectJob {
  std::string input; // a character, a field file (.skc), or a point cloud or splats (.ply)
  ReadOptions read;  // for characters
};

struct InspectedCharacter {
  CharacterFile file;
  Topology topology = {}; // of the welded mesh
  WeightStatistics statistics = {};
  Box bounds = {};                        // of the mesh, in bind space
  int weighted_joints = 0;                // joints that carry weight
  int root_joints = 0, depth = 0;         // depth: number of joints on the longest path from a root
  std::vector<std::string> problems = {}; // what a user should know before binding
};
InspectedCharacter inspectCharacter(CharacterFile file);

struct InspectedField {
  std::string path;
  FieldDocument document;
  std::size_t bytes = 0, parameter_bytes = 0;
  int major = 0, minor = 0;         // version of the file format
  std::size_t bytes_per_vertex = 0; // of a table of joints and weights with as many influences
  std::size_t break_even = 0;       // number of vertices whose table is as large as the file
  std::size_t rigid_parts = 0;      // parts with one row of weights
  Warnings warnings;
};
Result<InspectedField> inspectFieldFile(const std::string& path);

// A file without a character that could be read: no mesh, no skeleton, or several that it could be.
struct InspectedOutline {
  FileOutline outline;
  Error problem; // what every other command says
};

struct InspectOutcome {
  InspectJob job;
  std::variant<InspectedCharacter, InspectedField, InspectedOutline, PointCloudFile> found;
};

JobFiles filesOf(const InspectJob& job);
// A .ply file is a point cloud. Fails only for files that cannot be read at all.
Result<InspectOutcome> run(const InspectJob& job, const ProgressFunction& progress = {});
// The same as a part of a run: outputs are staged, and appear when `outputs` are committed.
Result<InspectOutcome> run(const InspectJob& job, OutputSet& outputs, const ProgressFunction& progress = {});

} // namespace skincells

// The command `bind`: reads a character or a point cloud, computes weights and writes it with them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "skincells/bind.h"
#include "skincells/io/character_file.h"
#include "skincells/io/point_cloud.h"
#include "skincells/jobs/job_files.h"
#include "skincells/jobs/wear.h"
#include "skincells/verdict.h"

namespace skincells {

struct BindJob {
  std::string input;  // a character, or a point cloud (.ply)
  std::string output; // .glb, .gltf or .vrm; .ply for a point cloud
  ReadOptions read;
  BindOptions bind;
  WriteOptions write;
  FieldOutputOptions field; // only BindMethod::SkinCells makes a field
  VerdictOptions verdict = {};
  WearOptions wear = {};
  GarmentOptions garment = {}; // if something is worn
  std::string start = "";      // a field of a character with the same skeleton to start from; empty: none
  bool same_shape = false;     // as that character, nearly: the weights of the start take the place of the guess
};

// A point cloud, and its weights over the joints of the character that it was bound as.
struct BoundCloud {
  PointCloudFile file;
  SparseWeights weights;
};

struct BindOutcome {
  BindJob job;
  CharacterFile input; // of a point cloud: the surface through its points, with the skeleton of `read.rig`
  BindResult result;
  std::optional<FieldDocument> field;        // if one was written
  std::size_t field_bytes = 0;               // size of the written field
  Verdict verdict;                           // how the result deforms
  std::vector<GarmentOutcome> garments = {}; // inner layers first
  std::vector<Pose> worn_poses = {};         // in which garments were measured
  std::optional<BoundCloud> cloud = {};      // if the input is a point cloud
};

JobFiles filesOf(const BindJob& job);
// Output paths and options are checked before any work. If the job fails, nothing is written.
// A .ply input with a .ply output is a point cloud, or a mesh, and keeps all its other properties. Points are joined to
// a surface, which is bound; they take the weights of its field. A .ply input with any other output is imported as a
// mesh and must have faces.
Result<BindOutcome> run(const BindJob& job, const ProgressFunction& progress = {});
// The same as a part of a run: outputs are staged, and appear when `outputs` are committed.
Result<BindOutcome> run(const BindJob& job, OutputSet& outputs, const ProgressFunction& progress = {});

} // namespace skincells

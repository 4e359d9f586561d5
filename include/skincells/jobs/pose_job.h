// The command `pose`: writes a posed copy of a skinned mesh, a weighted point cloud or weighted splats.
#pragma once

#include <cstdint>
#include <string>

#include "skincells/jobs/job_files.h"
#include "skincells/options.h"
#include "skincells/progress.h"
#include "skincells/result.h"

namespace skincells {

// Exactly one pose: a time in a clip, or a pose of a pose file.
struct PoseOptions {
  std::string clip;  // name of an animation in the file that has the skeleton
  double time = 0;   // time in the clip, seconds; clamped to its length
  std::string poses; // instead of a clip: a pose file (docs/formats.md)
  int pose = 0;      // index of the pose in the pose file, counted from 0 through all its sets
};
const OptionTable<PoseOptions>& poseOptionTable();

struct PoseJob {
  // A skinned character, a point cloud (.ply) with weights, or a field file (.skc), which poses the character of `rig`.
  std::string input;
  std::string output; // .glb, .gltf, .vrm or .ply; .ply for a point cloud
  std::string rig;    // for point clouds and fields: the character file with the skeleton and the clips
  std::string field;  // use the weights of this field (.skc) instead of the input's
  PoseOptions pose;
  bool force = false; // replace an existing output
};

struct PoseOutcome {
  PoseJob job;
  std::string posed; // path of the file that was posed: the input, or the rig if the input is a field
  std::string kind;  // "mesh", "points" or "splats"
  std::string label; // of the pose: "walk at 0.25 s", "random 3"
  std::uint64_t vertex_count = 0;
  Warnings warnings;
};

JobFiles filesOf(const PoseJob& job);
// A posed character has no skin, weights, morph targets or animations; as .ply it has positions and triangles only. A
// posed point cloud keeps its format and its other properties, but not its weights. Vertices without weights stay
// where they are.
Result<PoseOutcome> run(const PoseJob& job, const ProgressFunction& progress = {});
// The same as a part of a run: outputs are staged, and appear when `outputs` are committed.
Result<PoseOutcome> run(const PoseJob& job, OutputSet& outputs, const ProgressFunction& progress = {});

} // namespace skincells

// Posed copies of files: a skinned mesh, a weighted point cloud or weighted splats, as they are in one pose.
#pragma once

#include <string>
#include <vector>

#include "skincells/io/character_file.h"
#include "skincells/io/point_cloud.h"
#include "skincells/options.h"
#include "skincells/result.h"

namespace skincells {

struct PoseOptions {
  std::string clip;  // name of an animation of the file that has the skeleton
  double time = 0;   // in it, seconds; clamped to the clip
  std::string poses; // or a pose file (docs/formats.md)
  int pose = 0;      // which of its poses, counted from 0 through all its sets
};
const OptionTable<PoseOptions>& poseOptionTable();

struct ChosenPose {
  std::string label; // "walk at 0.25 s", "random 3"
  Pose pose;         // over the skeleton of the file
  double scale = 1;  // lengths of the pose -> meters; 1 for poses of a file
  Warnings warnings;
};
// An error unless the options name exactly one pose that exists.
Result<ChosenPose> choosePose(const CharacterFile& rig, const PoseOptions& options);
// The same where there is a skeleton alone: only poses of a file.
Result<ChosenPose> choosePose(const Skeleton& skeleton, const PoseOptions& options);

// Writes the posed character: as .glb, .gltf or .vrm without skin, weights, morph targets and animations, everything
// else as it was; or as .ply, positions and triangles alone. Vertices without weight stay where they are.
Result<void> writePosed(const CharacterFile& character, const ChosenPose& pose, const std::string& path,
                        const WriteOptions& options = {});
// With other weights than its own, over its skeleton.
Result<void> writePosed(const CharacterFile& character, const SparseWeights& weights, const ChosenPose& pose,
                        const std::string& path, const WriteOptions& options = {});

// Writes the posed cloud in the format it came in, without its weights. Joints are found in the skeleton by name.
// - Positions and normals follow the blended map of their point.
// - Splats become the exact image of their ellipsoid: covariance M C M^T, split into rotation and scales.
// - Harmonics are turned by the rotation nearest to M (its polar decomposition).
// All else stays.
Result<void> writePosed(const PointCloudFile& cloud, const Skeleton& skeleton, const ChosenPose& pose,
                        const std::string& path, const WriteOptions& options = {});
// With other weights than its own, over joints of these names.
Result<void> writePosed(const PointCloudFile& cloud, const SparseWeights& weights,
                        const std::vector<std::string>& joint_names, const Skeleton& skeleton, const ChosenPose& pose,
                        const std::string& path, const WriteOptions& options = {});

// Reads a file, poses it and writes it.
struct PoseJob {
  // A skinned character, or a cloud (.ply) with weights. Or a field file (.skc): then the rig is what is posed.
  std::string input;
  std::string rig;   // of a cloud: the character file with the skeleton and the clips
  std::string field; // of an input without weights, or with others than wanted: a field of the character
  std::string output;
  PoseOptions options;
  bool force = false; // replace an existing output
};
struct PoseResult {
  std::string input, output;
  std::string kind; // "mesh", "points" or "splats"
  std::string label;
  std::uint64_t vertex_count = 0;
  Warnings warnings;
};
Result<PoseResult> poseFile(const PoseJob& job);

} // namespace skincells

// A skinned mesh in one pose.
#pragma once

#include <string>

#include "jobs/pose/chosen_pose.h"
#include "skincells/io/character_file.h"

namespace skincells::jobs {

// Stages the posed character: as .glb, .gltf or .vrm without skin, weights, morph targets and animations, everything
// else unchanged; or as .ply, positions and triangles alone. Vertices without weights stay where they are.
Result<void> stagePosed(const CharacterFile& character, const ChosenPose& pose, OutputSet& outputs,
                        const std::string& path, const WriteOptions& options = {});
// With other weights over the character's skeleton.
Result<void> stagePosed(const CharacterFile& character, const SparseWeights& weights, const ChosenPose& pose,
                        OutputSet& outputs, const std::string& path, const WriteOptions& options = {});

} // namespace skincells::jobs

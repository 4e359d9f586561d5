// The poses that the pose losses are measured in, and where they come from.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fit/pose_objective.h"
#include "skincells/bind.h"
#include "skincells/character.h"

namespace skincells::binding {

struct PoseSource {
  std::vector<JointMotion> motions; // one per joint of the skeleton
  std::string poses;                // "ranges" or "clips"
  fit::PoseBatches batches;         // over the deforming joints; refers to the character
};

// Chooses the source that the options name. Fails for an unusable range file, and when clips are asked for but the
// character has none.
Result<PoseSource> choosePoses(const Character& character, std::span<const int> deforming, const BindOptions& options);

// Poses of the source that training never sees.
std::vector<Pose> heldOutPoses(const fit::PoseBatches& batches, int count);

} // namespace skincells::binding

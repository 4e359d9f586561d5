// The poses that the pose losses are measured in, and where they come from.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fit/pose_objective.h"
#include "garment/chain_motion.h"
#include "skincells/bind.h"
#include "skincells/character.h"

namespace skincells::binding {

struct PoseSource {
  std::vector<JointMotion> motions; // one per joint of the skeleton
  std::string poses;                // "ranges" or "clips"
  fit::PoseBatches batches;         // over the deforming joints; refers to the character
};

// The joints of a garment that move by themselves, and how.
struct OwnMotion {
  std::span<const int> joints;
  const garment::ChainMotion* motion = nullptr; // must outlive the source
};

// Chooses the source that the options name. own: for garments. Fails for an unusable range file, and when clips are
// asked for but the character has none.
Result<PoseSource> choosePoses(const Character& character, std::span<const int> deforming, const BindOptions& options,
                               const OwnMotion& own = {});

// Poses of the source that training never sees.
std::vector<Pose> heldOutPoses(const fit::PoseBatches& batches, int count);

} // namespace skincells::binding

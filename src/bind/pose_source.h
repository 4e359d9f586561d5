// The poses that the losses are measured in, and where they come from.
#pragma once

#include <span>
#include <vector>

#include "bind/field_fit.h"
#include "skincells/bind.h"
#include "skincells/character.h"

namespace skincells::binding {

// Is `rom` (BindOptions::rom) no path of a range file?
bool isNamedSource(const std::string& rom);

// How far each joint turns, by the source that `rom` names (BindOptions::rom).
Result<std::vector<JointMotion>> jointMotions(const Character& character, const std::string& rom);

struct PoseSource {
  std::vector<JointMotion> motions; // one per joint of the skeleton
  std::string poses;                // "ranges" or "clips"
  PoseSampler sampler;              // over the deforming joints; refers to the character
};

// What the options ask for. Fails for a range file that cannot be used, and when clips are asked for and there are
// none.
Result<PoseSource> choosePoses(const Character& character, std::span<const int> deforming, const BindOptions& options);

} // namespace skincells::binding

// What the verdict on a skin judges: the skin posed and measured, with the places where it is worst.
#pragma once

#include <string>
#include <vector>

#include "skincells/character.h"
#include "skincells/metrics.h"
#include "skincells/verdict.h"

namespace skincells::metrics {

// The poses that skins are judged in: random ones, the same for all skins of a skeleton.
struct JudgedPoses {
  std::vector<Pose> poses;
  std::string text; // "24 random poses"
};
JudgedPoses judgedPoses(const Character& character);

// weights: one row per vertex. A new measure is added here and gets a line in defaultGate().
std::vector<Measure> measureSkin(const Character& character, const SparseWeights& weights,
                                 const std::vector<Pose>& poses);

} // namespace skincells::metrics

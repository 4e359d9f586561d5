// The poses that report pages measure and show.
#pragma once

#include <string>
#include <vector>

#include "skincells/character.h"
#include "skincells/viz/character_sheet.h"

namespace skincells::page {

constexpr int kRandomPoses = 24; // measured to find the worst ones

struct PoseSelection {
  std::vector<Pose> measured;     // random poses
  std::vector<LabeledPose> shown; // the bind pose, then the measured poses that stretch the mesh most
  std::vector<LabeledPose> test;  // named poses in which people judge characters
  int worst_count = 0;            // shown without the bind pose
  std::string ranges;             // description of the ranges of motion
};
// Random poses within these ranges of motion, or those given, which were chosen within them. The worst are chosen for
// these weights; other skins of the mesh are shown in the same poses.
PoseSelection selectPoses(const Character& character, const SparseWeights& weights,
                          const std::vector<JointMotion>& motions, const Orientation& orientation,
                          const std::vector<Pose>& given = {});

// "The bind pose and the 3 of 24 random poses ..."
std::string describe(const PoseSelection& poses);

} // namespace skincells::page

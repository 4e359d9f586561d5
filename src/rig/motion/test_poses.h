// Poses in which people judge characters.
#pragma once

#include <string>
#include <vector>

#include "skincells/rig.h"

namespace skincells::rig {

struct TestPose {
  std::string name; // "arms up"
  Pose pose;
  std::vector<int> focus; // joints to look at; empty: the whole character
};

// For a humanoid: arms up, elbows bent, knees bent, trunk twisted, squat, fists, head turned, head down, as far as it
// has the joints. Elbows, knees and fingers bend as far as their ranges say; one motion per joint.
// For others: each long chain of joints bent (further, if it is curved), a left and a right one together, and the
// longest one twisted. Detached joints follow their limbs (followers.h).
std::vector<TestPose> testPoses(const Skeleton& skeleton, const std::vector<JointMotion>& motions,
                                const Orientation& orientation);

} // namespace skincells::rig

// Which joints are which parts of a human body, inferred from their names.
#pragma once

#include <string>
#include <vector>

#include "rig/names/name_words.h"

namespace skincells::rig {

struct HumanBone {
  HumanPart part = HumanPart::None;
  Side side = Side::None;
  int finger = 0;  // for Finger: 1 index .. 4 little
  int segment = 0; // for Thumb and Finger: 1 at the hand .. 3 at the tip

  // "left upper arm", "right thumb 2", "spine"; empty for None.
  std::string text() const;
  friend bool operator==(const HumanBone&, const HumanBone&) = default;
};

// The part that a name means by itself, in the conventions of Mixamo, Rigify, Unreal, Biped, VRM or written by hand.
// None for a name with a word that is no part of a body (twist, ik, end, ...).
HumanBone humanBoneByName(const JointName& name);

// One entry per joint: from the humanoid map of a VRM file if there is one, else from names and the joints above and
// below (a "leg" below a "thigh" is the lower leg). All are None unless trunk, arms and legs are found.
std::vector<HumanBone> humanBones(const Skeleton& skeleton);

} // namespace skincells::rig

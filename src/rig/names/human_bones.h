// Which joints are which parts of a human body, by the names that programs and artists give them.
#pragma once

#include <string>
#include <vector>

#include "rig/names/joint_names.h"

namespace skincells::rig {

enum class HumanPart {
  None,
  Hips,
  Spine,
  Chest,
  Neck,
  Head,
  Jaw,
  Eye,
  Shoulder, // the collar bone
  UpperArm,
  LowerArm,
  Hand,
  Palm, // bones between hand and fingers
  Thumb,
  Finger,
  UpperLeg,
  LowerLeg,
  Foot,
  Toe,
};

struct HumanBone {
  HumanPart part = HumanPart::None;
  Side side = Side::None;
  int finger = 0;  // of Finger: 1 index .. 4 little
  int segment = 0; // of Thumb and Finger: 1 at the hand .. 3 at the tip

  // "left upper arm", "right thumb 2", "spine"; empty for None.
  std::string text() const;
  friend bool operator==(const HumanBone&, const HumanBone&) = default;
};

// What one name says, whatever stands around it: Mixamo, Rigify, Unreal, Biped, VRM and what artists write by hand.
// A name with a word that belongs to no body (twist, ik, end, ...) says nothing.
HumanBone humanBoneByName(const JointName& name);

// One entry per joint, by a VRM file's own map where it has one, else by names and by what is above and below (a "leg"
// below a "thigh" is the lower one). All are None when there is too little of a human body: trunk, arms and legs.
std::vector<HumanBone> humanBones(const Skeleton& skeleton);

} // namespace skincells::rig

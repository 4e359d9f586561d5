// The words that joint names are made of, and what they mean. Every rule about names uses this one list.
#pragma once

#include <string_view>

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

enum class WordMeaning {
  Filler,      // says nothing about the joint: "bone", "jnt"
  Control,     // steers other joints or holds objects, and deforms nothing: "ik", "socket"
  Roll,        // a helper that takes part of a limb's rotation
  BoneEnd,     // marks the end of the parent's bone: "end", "nub"
  SkeletonTop, // a node above the skeleton that many exporters add: "root", "armature"
  MiddlePart,  // a part of the body of which there is one; see NameWord::part
  PairedPart,  // a part of the body that has a left and a right; see NameWord::part
  Finger,      // which finger; NameWord::number is 0 for the thumb .. 4 for the little finger, -1 if unspecified
  Phalanx,     // which bone of a finger; NameWord::number is 1 at the hand .. 3 at the tip
  Face,        // a feature of the face
  AnimalFoot,  // "hoof", "paw"
  Tail,
  Ear,   // ears, horns, antennae, hair: what sticks out of a head
  Wing,  // wings, feathers, fins
  Cloth, // skirts, capes, sleeves, ribbons
  Prop,  // what a character holds or wears: weapons, bags, hats
};

// A word may have several meanings: "hip" is a middle part, and a paired one in the name of a left or right joint.
struct NameWord {
  std::string_view text; // lower case; parts of the body also as two words joined ("upperarm")
  WordMeaning meaning;
  HumanPart part = HumanPart::None; // for MiddlePart and PairedPart
  int number = 0;                   // for Finger and Phalanx
};

// The entry for this word and meaning; nullptr if there is none.
const NameWord* findWord(std::string_view word, WordMeaning meaning);
inline bool means(std::string_view word, WordMeaning meaning) {
  return findWord(word, meaning) != nullptr;
}

// The first word of the name that has the meaning; empty if there is none.
std::string_view firstWord(const JointName& name, WordMeaning meaning);

// The word that makes a joint a control; empty if there is none. Short words must be whole words of the name; long ones
// may also end a word that was written without a break ("handslot").
std::string_view controlWord(const JointName& name);

// Does the word mark the end of a bone? Includes words that end in "nub" ("headnub").
bool isBoneEndWord(std::string_view word);

// Does a word of the name mean one of the parts, as a whole word or, if the word is unknown, inside it ("lfoot")?
bool mentionsPart(const JointName& name, std::initializer_list<HumanPart> parts);
bool mentions(const JointName& name, WordMeaning meaning);

} // namespace skincells::rig

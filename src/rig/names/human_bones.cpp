#include "rig/names/human_bones.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace skincells::rig {
namespace {

using Part = HumanPart;

Part partOf(std::string_view joined_words, WordMeaning meaning) {
  const NameWord* found = findWord(joined_words, meaning);
  return found == nullptr ? Part::None : found->part;
}

bool isNumber(std::string_view word) {
  return word[0] >= '0' && word[0] <= '9';
}

// A name without fillers: its words, the same words joined, and its last number as written.
struct Plain {
  std::vector<std::string_view> words;
  std::string joined;
  std::string_view number;
};

Plain plain(const JointName& name) {
  Plain out;
  bool after_bip = false; // the number of "Bip01" belongs to the character
  for (const std::string& word : name.words) {
    if (isNumber(word)) {
      if (!after_bip) out.number = word;
    } else if (!means(word, WordMeaning::Filler)) {
      out.words.push_back(word);
      out.joined += word;
    }
    after_bip = word == "bip";
  }
  return out;
}

int lastDigit(std::string_view number) {
  return number.empty() ? 0 : number.back() - '0';
}

HumanBone fingerBone(int finger, int segment, Side side) {
  if (segment < 1 || segment > 3) return {};
  return {finger == 0 ? Part::Thumb : Part::Finger, side, finger, segment};
}

// Biped writes the finger and then the joint in it: Finger0, Finger01, Finger02.
HumanBone bipedFinger(std::string_view number, Side side) {
  if (number.empty() || number.size() > 2) return {};
  const int finger = number[0] - '0', segment = number.size() == 2 ? number[1] - '0' + 1 : 1;
  return finger > 4 ? HumanBone{} : fingerBone(finger, segment, side);
}

std::optional<HumanBone> fingerByName(const Plain& name, Side side) {
  int finger = -1, segment = lastDigit(name.number);
  bool metacarpal = false, has_finger_word = false;
  for (std::string_view word : name.words) {
    if (const NameWord* f = findWord(word, WordMeaning::Finger)) {
      has_finger_word = true;
      if (f->number >= 0) finger = f->number;
    } else if (const NameWord* phalanx = findWord(word, WordMeaning::Phalanx)) {
      segment = phalanx->number;
    } else if (word == "metacarpal") {
      metacarpal = true;
    } else if (word != "hand" && word != "f") {
      return std::nullopt;
    }
  }
  if (finger < 0) return has_finger_word ? std::optional(bipedFinger(name.number, side)) : std::nullopt;
  if (metacarpal) return finger == 0 ? fingerBone(0, 1, side) : HumanBone{Part::Palm, side, 0, 0};
  return fingerBone(finger, segment, side);
}

bool isLimb(Part p) {
  return p == Part::UpperArm || p == Part::LowerArm || p == Part::Hand || p == Part::UpperLeg || p == Part::LowerLeg ||
         p == Part::Foot;
}

std::uint32_t bit(Part p) {
  return 1U << static_cast<unsigned>(p);
}

// Resolves names that are ambiguous by themselves by the joints above and below them.
class Body {
public:
  explicit Body(const Skeleton& skeleton) : skeleton_(skeleton), order_(parentFirstOrder(skeleton)) {}

  std::vector<HumanBone> byNames() {
    for (const JointName& name : jointNames(skeleton_)) bones_.push_back(humanBoneByName(name));
    settleShoulders();
    settleLegs();
    settleSpine();
    dropSecondSegments();
    return enough() ? std::move(bones_) : std::vector<HumanBone>(skeleton_.joints.size());
  }

  std::vector<HumanBone> byMap() {
    for (const Joint& joint : skeleton_.joints) bones_.push_back(humanBoneByName(splitJointName(joint.human_bone)));
    return enough() ? std::move(bones_) : std::vector<HumanBone>();
  }

private:
  HumanBone& bone(int j) { return bones_[static_cast<std::size_t>(j)]; }
  int parent(int j) const { return skeleton_.joints[static_cast<std::size_t>(j)].parent; }

  // Is there a joint of that part (and side) among the ancestors?
  bool isBelow(int j, Part part, Side side) {
    for (int a = parent(j); a != kNoParent; a = parent(a))
      if (bone(a).part == part && bone(a).side == side) return true;
    return false;
  }
  // Is joint j an ancestor of such a joint?
  bool isAbove(int j, Part part) const { return (below_[static_cast<std::size_t>(j)] & bit(part)) != 0; }
  bool has(Part part) const {
    return std::any_of(bones_.begin(), bones_.end(), [part](const HumanBone& b) { return b.part == part; });
  }

  void gatherBelow() {
    below_.assign(bones_.size(), 0);
    for (auto j = order_.rbegin(); j != order_.rend(); ++j)
      if (const int p = parent(*j); p != kNoParent)
        below_[static_cast<std::size_t>(p)] |= below_[static_cast<std::size_t>(*j)] | bit(bone(*j).part);
  }

  // A "shoulder" without an upper arm below it is the upper arm; an "arm" below an upper arm is the lower arm.
  void settleShoulders() {
    gatherBelow();
    for (int j : order_) {
      if (bone(j).part == Part::Shoulder && !isAbove(j, Part::UpperArm) && isAbove(j, Part::LowerArm))
        bone(j).part = Part::UpperArm;
      else if (bone(j).part == Part::UpperArm && isBelow(j, Part::UpperArm, bone(j).side) &&
               !isAbove(j, Part::LowerArm))
        bone(j).part = Part::LowerArm;
    }
  }

  // A left or right "hip" without an upper leg below it is the upper leg. So is a "leg" that has another "leg" below it
  // and no upper leg above it.
  void settleLegs() {
    gatherBelow();
    for (int j : order_) {
      HumanBone& b = bone(j);
      if (b.part == Part::Hips && b.side != Side::None)
        b = isAbove(j, Part::UpperLeg) ? HumanBone{} : HumanBone{Part::UpperLeg, b.side, 0, 0};
      else if (b.part == Part::LowerLeg && isAbove(j, Part::LowerLeg) && !isBelow(j, Part::UpperLeg, b.side))
        b.part = Part::UpperLeg;
    }
  }

  // Rigify names all joints from the hips to the head "spine": the one that carries the legs is the hips, and those
  // beyond the one that carries the arms are neck and head.
  void settleSpine() {
    gatherBelow();
    const bool no_head = !has(Part::Head), no_hips = !has(Part::Hips);
    const auto carriesArms = [&](int j) { return isAbove(j, Part::Shoulder) || isAbove(j, Part::UpperArm); };
    for (int j : order_) {
      if (bone(j).part != Part::Spine) continue;
      bool trunk_above = false, arms_above = false;
      for (int a = parent(j); a != kNoParent; a = parent(a)) {
        trunk_above = trunk_above || bone(a).part == Part::Spine || bone(a).part == Part::Hips;
        arms_above = arms_above || (bone(a).part == Part::Spine && carriesArms(a));
      }
      if (no_hips && !trunk_above && isAbove(j, Part::UpperLeg))
        bone(j).part = Part::Hips;
      else if (no_head && arms_above && !carriesArms(j))
        bone(j).part = isAbove(j, Part::Spine) ? Part::Neck : Part::Head;
    }
  }

  // upper_arm.L.001 below upper_arm.L is the second segment of one bone, not another body part.
  void dropSecondSegments() {
    for (int j : order_)
      if (isLimb(bone(j).part) && isBelow(j, bone(j).part, bone(j).side)) bone(j) = {};
  }

  bool enough() {
    if (!has(Part::Hips) && !has(Part::Spine) && !has(Part::Chest)) return false;
    int found = 0;
    for (Part part : {Part::UpperArm, Part::LowerArm, Part::UpperLeg, Part::LowerLeg})
      for (Side side : {Side::Left, Side::Right})
        found += std::any_of(bones_.begin(), bones_.end(),
                             [&](const HumanBone& b) { return b.part == part && b.side == side; });
    constexpr int kFewestLimbBones = 7; // of 8: a character may lack part of a limb
    return found >= kFewestLimbBones;
  }

  const Skeleton& skeleton_;
  std::vector<int> order_;
  std::vector<HumanBone> bones_;
  std::vector<std::uint32_t> below_; // by joint: parts among the descendants, as bits
};

} // namespace

std::string HumanBone::text() const {
  static constexpr std::string_view kNames[] = {
      "",          "hips", "spine", "chest", "neck",   "head",      "jaw",       "eye",  "shoulder", "upper arm",
      "lower arm", "hand", "palm",  "thumb", "finger", "upper leg", "lower leg", "foot", "toe"};
  static constexpr std::string_view kFingers[] = {"thumb", "index finger", "middle finger", "ring finger",
                                                  "little finger"};
  std::string out = side == Side::Left ? "left " : side == Side::Right ? "right " : "";
  out += part == Part::Finger ? kFingers[finger] : kNames[static_cast<std::size_t>(part)];
  return segment > 0 ? out + " " + std::to_string(segment) : out;
}

HumanBone humanBoneByName(const JointName& name) {
  const Plain words = plain(name);
  if (words.words.empty()) return {};
  if (name.side == Side::None) return {partOf(words.joined, WordMeaning::MiddlePart), Side::None, 0, 0};
  if (const auto finger = fingerByName(words, name.side)) return *finger;
  const Part part = partOf(words.joined, WordMeaning::PairedPart);
  // A number after "arm" or "leg" does not say which bone of the limb it is.
  const bool vague = words.joined == "arm" || words.joined == "leg";
  if (part == Part::None || (vague && !words.number.empty())) return {};
  return {part, name.side, 0, 0};
}

std::vector<HumanBone> humanBones(const Skeleton& skeleton) {
  if (auto mapped = Body(skeleton).byMap(); !mapped.empty()) return mapped;
  return Body(skeleton).byNames();
}

} // namespace skincells::rig

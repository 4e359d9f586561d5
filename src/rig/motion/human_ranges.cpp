#include "rig/motion/human_ranges.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/assert.h"

namespace skincells::rig {
namespace {

using Part = HumanPart;

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr double kSmallestBend = 5; // degrees: a straighter joint does not show in which direction it bends

struct Limits {
  Part part;
  double swing, twist; // degrees
  bool hinge = false;  // swing is measured from the straight limb
};
constexpr Limits kLimits[] = {
    {Part::Hips, 30, 30},        {Part::Spine, 25, 20},
    {Part::Chest, 20, 15},       {Part::Neck, 30, 35},
    {Part::Head, 35, 45},        {Part::Jaw, 15, 3},
    {Part::Eye, 30, 0},          {Part::Shoulder, 20, 10},
    {Part::UpperArm, 80, 50},    {Part::LowerArm, 140, 60, true},
    {Part::Hand, 60, 15},        {Part::Palm, 10, 5},
    {Part::Thumb, 60, 15, true}, {Part::Finger, 90, 8, true},
    {Part::UpperLeg, 80, 35},    {Part::LowerLeg, 140, 10, true},
    {Part::Foot, 40, 15},        {Part::Toe, 40, 5},
};

Limits limitsOf(Part part) {
  const auto found =
      std::find_if(std::begin(kLimits), std::end(kLimits), [&](const Limits& l) { return l.part == part; });
  SKINCELLS_ASSERT(found != std::end(kLimits));
  return *found;
}

// How a joint is bent in the bind pose.
struct Bend {
  Vec3d axis;       // axis about which it bends further; zero: unknown
  double angle = 0; // from the straight limb, degrees
};

class Hinges {
public:
  Hinges(const Skeleton& skeleton, const std::vector<HumanBone>& bones)
      : skeleton_(skeleton), bones_(bones), children_(childrenOf(skeleton)) {
    Vec3d across;
    for (int j = 0; j < skeleton.jointCount(); ++j)
      if (const int m = mirrored(j); m >= 0 && bone(j).side == Side::Left)
        across += skeleton.bindPosition(j) - skeleton.bindPosition(m);
    across_ = normalized(across);
  }

  // From the joint itself, its mirror image, or the previous joint of the finger.
  Bend bend(int j) const {
    Bend own = restBend(j);
    if (!(own.axis == Vec3d{})) return own;
    const int m = mirrored(j);
    if (const Vec3d axis = m >= 0 ? restBend(m).axis : Vec3d{}; !(axis == Vec3d{})) {
      own.axis = across_ * (2 * dot(axis, across_)) - axis; // axes mirror with a change of sign
      return own;
    }
    const int p = parent(j);
    if (p >= 0 && bone(j).segment == 3 && bone(p).segment == 2) own.axis = bend(p).axis;
    return own;
  }

private:
  const HumanBone& bone(int j) const { return bones_[j]; }
  int parent(int j) const { return skeleton_.joints[j].parent; }

  int mirrored(int j) const {
    HumanBone other = bone(j);
    if (other.side == Side::None || other.part == Part::None) return -1;
    other.side = other.side == Side::Left ? Side::Right : Side::Left;
    const auto found = std::find(bones_.begin(), bones_.end(), other);
    return found == bones_.end() ? -1 : static_cast<int>(found - bones_.begin());
  }

  // The joint at the end of this one's bone: a child that is a body part, else the only child; -1: none.
  int next(int j) const {
    const auto& children = children_[j];
    for (int c : children)
      if (bone(c).part != Part::None) return c;
    return children.size() == 1 ? children[0] : -1;
  }

  Bend restBend(int j) const {
    const int before = parent(j), after = next(j);
    if (before == kNoParent || after < 0) return {};
    const Vec3d in = skeleton_.bindPosition(j) - skeleton_.bindPosition(before);
    const Vec3d out = skeleton_.bindPosition(after) - skeleton_.bindPosition(j);
    const Vec3d axis = cross(in, out);
    const double angle = std::atan2(length(axis), dot(in, out)) * kDegrees;
    if (!(angle >= kSmallestBend)) return {};
    return {normalized(axis), angle};
  }

  const Skeleton& skeleton_;
  const std::vector<HumanBone>& bones_;
  std::vector<std::vector<int>> children_;
  Vec3d across_; // from the right to the left side of the body
};

JointRange rangeOf(int j, const HumanBone& bone, const Hinges& hinges) {
  const Limits limits = limitsOf(bone.part);
  JointRange range{{0, limits.swing}, {-limits.twist, limits.twist}, {}};
  if (!limits.hinge) return range;
  // The first joint of a finger also spreads.
  const Bend bend = bone.segment == 1 ? Bend{} : hinges.bend(j);
  range.axis = bend.axis;
  if (range.isHinge())
    range.swing = {-bend.angle, std::max(0.0, limits.swing - bend.angle)};
  else
    range.swing.hi /= 2;
  return range;
}

} // namespace

std::vector<JointRange> humanRanges(const Skeleton& skeleton, const std::vector<HumanBone>& bones) {
  SKINCELLS_ASSERT(bones.size() == skeleton.joints.size());
  const Hinges hinges(skeleton, bones);
  std::vector<JointRange> ranges(bones.size());
  for (std::size_t j = 0; j < bones.size(); ++j)
    if (bones[j].part != Part::None) ranges[j] = rangeOf(static_cast<int>(j), bones[j], hinges);
  return ranges;
}

} // namespace skincells::rig

#include "rig/motion/test_poses.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/assert.h"
#include "rig/motion/chain_poses.h"
#include "rig/motion/followers.h"
#include "rig/motion/swing_twist.h"
#include "rig/names/human_bones.h"

namespace skincells::rig {
namespace {

using Part = HumanPart;
constexpr double kRadians = std::numbers::pi / 180;
constexpr Side kSides[] = {Side::Left, Side::Right};

// The rotation that takes one direction to another the short way.
Affine between(const Vec3d& from, const Vec3d& to) {
  const Vec3d axis = cross(from, to);
  if (!(length(axis) > 0)) return {};
  return Affine::rotation(axis, std::atan2(length(axis), dot(from, to)));
}

// Builds one pose after the other from rotations of body parts. Angles are in degrees.
class Body {
public:
  Body(const Skeleton& skeleton, const std::vector<JointMotion>& motions, const std::vector<HumanBone>& bones,
       const Orientation& orientation)
      : skeleton_(skeleton), motions_(motions), bones_(bones), bone_directions_(boneDirections(skeleton)),
        up_(normalized(orientation.up)), left_(normalized(cross(orientation.up, orientation.forward))),
        forward_(cross(left_, up_)), turns_(skeleton.joints.size()) {}

  std::vector<TestPose> all() {
    armsUp();
    take("arms up");
    for (Side side : kSides) bend(find(Part::LowerArm, side), forward_);
    take("elbows bent");
    for (Side side : kSides) bend(find(Part::LowerLeg, side), -forward_);
    take("knees bent");
    twist();
    take("trunk twisted");
    squat();
    take("squat");
    for (Side side : kSides) fist(side);
    take("fists", withBelow(find(Part::Hand, Side::Left)));
    for (Part part : {Part::Neck, Part::Head}) twistAll(part, up_, 1);
    take("head turned", headAndShoulders());
    for (Part part : {Part::Neck, Part::Head})
      for (int j : all(part)) turn(j, left_, motions_[j].range.swing.hi);
    take("head down", headAndShoulders());
    return std::move(poses_);
  }

private:
  std::vector<int> all(Part part) const {
    std::vector<int> found;
    for (int j = 0; j < skeleton_.jointCount(); ++j)
      if (bones_[j].part == part) found.push_back(j);
    return found;
  }
  int find(Part part, Side side) const {
    for (int j : all(part))
      if (bones_[j].side == side) return j;
    return -1;
  }
  // The direction from one part of a limb to the next, else that of the bone.
  Vec3d limb(int j, Part next) const {
    const int after = find(next, bones_[j].side);
    const Vec3d along = after < 0 ? Vec3d{} : skeleton_.bindPosition(after) - skeleton_.bindPosition(j);
    return length(along) > 0 ? normalized(along) : bone_directions_[j];
  }
  Vec3d outward(Side side) const { return side == Side::Left ? left_ : -left_; }

  void turn(int j, const Vec3d& axis, double degrees) {
    if (j >= 0 && length(axis) > 0) turns_[j] = Affine::rotation(axis, degrees * kRadians) * turns_[j];
  }
  void twistAll(Part part, const Vec3d& axis, double sign) {
    for (int j : all(part)) turn(j, axis, sign * motions_[j].range.twist.hi);
  }

  // How far a hinge bends; a hinge of unknown axis has half of it in every direction.
  double mostBend(int j) const {
    const JointMotion& m = motions_[j];
    return m.range.isHinge() || m.source != "humanoid" ? m.range.swing.hi : 2 * m.range.swing.hi;
  }
  // Bends as far as the joint can, about its hinge or toward a direction; at most `limit`.
  void bend(int j, const Vec3d& toward, double limit = 180) {
    if (j < 0) return;
    const Vec3d hinge = motions_[j].range.axis;
    turn(j, hinge == Vec3d{} ? cross(bone_directions_[j], toward) : hinge, std::min(limit, mostBend(j)));
  }

  void armsUp() {
    constexpr double kCollar = 20, kOutward = 0.25;
    for (Side side : kSides) {
      const int arm = find(Part::UpperArm, side), collar = find(Part::Shoulder, side);
      if (arm < 0) continue;
      Affine raised;
      if (collar >= 0) {
        raised = Affine::rotation(cross(outward(side), up_), kCollar * kRadians);
        turns_[collar] = raised;
      }
      const Vec3d goal = normalized(up_ + outward(side) * kOutward);
      turns_[arm] = between(limb(arm, Part::LowerArm), raised.inverse().applyLinear(goal));
    }
  }

  void twist() {
    for (Part part : {Part::Spine, Part::Chest}) twistAll(part, up_, 1);
    for (Part part : {Part::Neck, Part::Head}) twistAll(part, up_, -0.5);
    for (Side side : kSides)
      if (const int arm = find(Part::LowerArm, side); arm >= 0)
        turn(arm, bone_directions_[arm], (side == Side::Left ? 1 : -1) * motions_[arm].range.twist.hi);
  }

  // The thighs go to the front and apart, the shins back, the feet stay level.
  void squat() {
    constexpr double kThigh = 93, kKnee = 115, kLean = 12;
    for (Side side : kSides) {
      const int thigh = find(Part::UpperLeg, side), arm = find(Part::UpperArm, side);
      if (thigh >= 0) {
        const Vec3d along = limb(thigh, Part::LowerLeg);
        turns_[thigh] = between(along, normalized(forward_ + outward(side) * 0.25 + up_ * 0.05));
      }
      bend(find(Part::LowerLeg, side), -forward_, kKnee);
      turn(find(Part::Foot, side), left_, kThigh - kKnee);
      if (arm >= 0) turns_[arm] = between(limb(arm, Part::LowerArm), normalized(forward_ + outward(side) * 0.2));
    }
    for (Part part : {Part::Spine, Part::Chest})
      for (int j : all(part)) turn(j, left_, kLean / static_cast<double>(all(part).size()));
  }

  void fist(Side side) {
    const Vec3d palm = palmOf(side);
    for (int j = 0; j < skeleton_.jointCount(); ++j) {
      if (bones_[j].side != side) continue;
      if (bones_[j].part == Part::Finger) {
        // The first joint has no hinge because it also spreads; it curls like the next one.
        const int next = nextInFinger(j);
        const Vec3d hinge = bones_[j].segment == 1 && next >= 0 ? motions_[next].range.axis : motions_[j].range.axis;
        turn(j, hinge == Vec3d{} ? cross(bone_directions_[j], palm) : hinge, std::min(80.0, mostBend(j)));
      }
      if (bones_[j].part == Part::Thumb) bend(j, palm, 30);
    }
  }
  int nextInFinger(int j) const {
    HumanBone next = bones_[j];
    ++next.segment;
    const auto found = std::ranges::find(bones_, next);
    return found == bones_.end() ? -1 : static_cast<int>(found - bones_.begin());
  }
  // Where the palm of a hand faces, from the row of its knuckles; down if it has too few fingers.
  Vec3d palmOf(Side side) const {
    const auto knuckle = [&](int finger) {
      const auto found = std::ranges::find(bones_, HumanBone{Part::Finger, side, finger, 1});
      return found == bones_.end() ? -1 : static_cast<int>(found - bones_.begin());
    };
    int inner = -1, outer = -1;
    for (int finger = 1; finger <= 4; ++finger)
      if (const int j = knuckle(finger); j >= 0) {
        if (inner < 0) inner = j;
        outer = j;
      }
    if (inner < 0 || inner == outer) return -up_;
    const Vec3d across = skeleton_.bindPosition(inner) - skeleton_.bindPosition(outer);
    const Vec3d palm = normalized(cross(bone_directions_[inner], across));
    return side == Side::Left ? palm : -palm;
  }

  std::vector<int> withBelow(int top) const {
    std::vector<int> out;
    for (int j = 0; j < skeleton_.jointCount(); ++j)
      for (int a = j; a != kNoParent && top >= 0; a = skeleton_.joints[a].parent)
        if (a == top) {
          out.push_back(j);
          break;
        }
    return out;
  }
  std::vector<int> headAndShoulders() const {
    std::vector<int> out = withBelow(all(Part::Head).empty() ? -1 : all(Part::Head).front());
    for (Part part : {Part::Neck, Part::Shoulder}) // in some rigs, the neck carries the arms
      for (int j : all(part)) out.push_back(j);
    return out;
  }

  // Keeps the pose if anything was turned, and starts the next one.
  void take(const char* name, std::vector<int> focus = {}) {
    if (std::ranges::any_of(turns_, [](const Affine& a) { return !(a == Affine{}); }))
      poses_.push_back({name, poseFromTurns(skeleton_, turns_), std::move(focus)});
    turns_.assign(skeleton_.joints.size(), {});
  }

  const Skeleton& skeleton_;
  const std::vector<JointMotion>& motions_;
  const std::vector<HumanBone>& bones_;
  std::vector<Vec3d> bone_directions_;
  Vec3d up_, left_, forward_;
  std::vector<Affine> turns_;
  std::vector<TestPose> poses_;
};

} // namespace

std::vector<TestPose> testPoses(const Skeleton& skeleton, const std::vector<JointMotion>& motions,
                                const Orientation& orientation) {
  SKINCELLS_ASSERT(motions.size() == skeleton.joints.size());
  const Skeleton attached = withFollowers(skeleton);
  const std::vector<HumanBone> bones = humanBones(skeleton);
  const bool human = std::ranges::any_of(bones, [](const HumanBone& b) { return b.part != Part::None; });
  return human ? Body(attached, motions, bones, orientation).all() : chainPoses(attached, motions, orientation);
}

} // namespace skincells::rig

#include "rig/motion/clip_ranges.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rig/motion/swing_twist.h"

namespace skincells::rig {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr double kSmallestMotion = 3 / kDegrees; // rotations that differ by less are noise
constexpr double kHingeTolerance = 0.2; // distance of the other swings from the axis of the widest, relative to it

// Makes the range a hinge about the axis of the widest swing if all swings are nearly about this axis.
void fitHinge(const std::vector<SwingTwist>& turns, JointRange& range) {
  const auto widest = std::max_element(turns.begin(), turns.end(), [](const SwingTwist& a, const SwingTwist& b) {
    return length(a.swing) < length(b.swing);
  });
  const double limit = kHingeTolerance * length(widest->swing);
  const Vec3d axis = normalized(widest->swing);
  if (axis == Vec3d{}) return;
  AngleInterval about{180, -180};
  for (const SwingTwist& t : turns) {
    const double along = dot(t.swing, axis);
    if (length(t.swing - axis * along) > limit) return;
    about = {std::min(about.lo, along * kDegrees), std::max(about.hi, along * kDegrees)};
  }
  range.swing = about;
  range.axis = axis;
}

std::optional<JointRange> rangeOf(const std::vector<SwingTwist>& turns) {
  if (turns.empty()) return std::nullopt;
  double moved = 0, widest = 0;
  AngleInterval twist{180, -180};
  for (const SwingTwist& t : turns) {
    moved = std::max({moved, length(t.swing - turns[0].swing), std::fabs(t.twist - turns[0].twist)});
    widest = std::max(widest, length(t.swing) * kDegrees);
    twist = {std::min(twist.lo, t.twist * kDegrees), std::max(twist.hi, t.twist * kDegrees)};
  }
  if (moved < kSmallestMotion) return std::nullopt;
  JointRange range{{0, widest}, twist, {}};
  fitHinge(turns, range);
  return range;
}

} // namespace

std::vector<std::optional<JointRange>> rangesOfPoses(const Skeleton& skeleton, std::span<const Pose> poses) {
  const std::vector<Vec3d> bones = boneDirections(skeleton);
  std::vector<std::vector<SwingTwist>> turns(bones.size());
  for (const Pose& pose : poses) {
    const auto of_pose = turnsOf(skeleton, pose);
    for (std::size_t j = 0; j < bones.size(); ++j)
      if (of_pose[j]) turns[j].push_back(splitTurn(*of_pose[j], bones[j]));
  }
  std::vector<std::optional<JointRange>> ranges;
  for (const auto& of_joint : turns) ranges.push_back(rangeOf(of_joint));
  return ranges;
}

} // namespace skincells::rig

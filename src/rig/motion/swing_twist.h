// Splits joint rotations into swing (of the bone's direction) and twist (about the bone).
#pragma once

#include <optional>
#include <vector>

#include "skincells/rig.h"

namespace skincells::rig {

// The direction of each joint's bone in the bind pose: toward its children, or away from its parent; zero for a joint
// without either.
std::vector<Vec3d> boneDirections(const Skeleton& skeleton);

// The rotations that `poseFromTurns` needs for a pose, without scale and shear. Empty for a joint whose map is
// mirrored, singular or not finite.
std::vector<std::optional<Affine>> turnsOf(const Skeleton& skeleton, const Pose& pose);

// rotation = rotation about `swing` by its length * rotation about the bone by `twist`.
struct SwingTwist {
  Vec3d swing;      // axis perpendicular to the bone; its length is the angle in radians, 0 .. pi
  double twist = 0; // radians, -pi .. pi
};
// For a zero `bone`, the whole rotation is swing.
SwingTwist splitTurn(const Affine& rotation, const Vec3d& bone);

} // namespace skincells::rig

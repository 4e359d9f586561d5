// Taking turns of joints apart: how far the bone leaves its place, and how far it turns about itself.
#pragma once

#include <optional>
#include <vector>

#include "skincells/rig.h"

namespace skincells::rig {

// Where each joint's bone points in the bind pose: towards its children, or onwards from its parent; zero for a joint
// that has neither.
std::vector<Vec3d> boneDirections(const Skeleton& skeleton);

// The turns that `poseFromTurns` would need for a pose; lengths and shears are left out. Nothing for a joint whose map
// is not a rotation with some scale (mirrored, flat, not finite).
std::vector<std::optional<Affine>> turnsOf(const Skeleton& skeleton, const Pose& pose);

// rotation = rotation about `swing` by its length * rotation about the bone by `twist`.
struct SwingTwist {
  Vec3d swing;      // axis across the bone, as long as the angle in radians, 0 .. pi
  double twist = 0; // radians, -pi .. pi
};
// For a zero `bone`, all is swing.
SwingTwist splitTurn(const Affine& rotation, const Vec3d& bone);

} // namespace skincells::rig

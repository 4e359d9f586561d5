// Skeletons from joint positions.
#pragma once

#include <array>
#include <string>

#include "skincells/rig.h"

namespace skincells::examples {

// Adds joints by name, parents first. Joint frames are world-aligned until `build`, which turns every joint that
// has a child so that its y axis runs along its bone, as modeling programs do.
class SkeletonBuilder {
public:
  // Starts with one joint on the ground, the root of all others.
  explicit SkeletonBuilder(const std::string& root);
  void add(const std::string& name, const std::string& parent, const Vec3d& position);
  // `stem`.L at the position and `stem`.R at its mirror image (x -> -x); the parents are `parent_stem`.L and .R if
  // they exist, else the joint `parent_stem`.
  void addPair(const std::string& stem, const std::string& parent_stem, const Vec3d& position);
  Vec3d at(const std::string& name) const;
  Skeleton build() const;

private:
  Skeleton skeleton_;
};

// Quaternion x, y, z, w (w >= 0) of the linear part, which must be a rotation.
std::array<double, 4> quaternionOf(const Affine& rotation);

// The skeleton with the pose as its new bind pose.
Skeleton rebound(const Skeleton& skeleton, const Pose& pose);

} // namespace skincells::examples

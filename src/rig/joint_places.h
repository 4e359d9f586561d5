// Which joints are near a place, without looking at all of them.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "skincells/rig.h"

namespace skincells::rig {

class JointPlaces {
public:
  // joints: those that are looked for.
  JointPlaces(const Skeleton& skeleton, std::span<const int> joints);

  // The joints within `reach` of a place, in the order in which they were given.
  std::vector<int> near(const Vec3d& place, double reach) const;
  // Of any joint of the skeleton.
  const Vec3d& position(int joint) const { return positions_[static_cast<std::size_t>(joint)]; }

private:
  std::vector<Vec3d> positions_;
  std::vector<int> joints_;
  std::vector<std::pair<double, std::size_t>> along_; // an oblique line, and the place in joints_; sorted
};

} // namespace skincells::rig

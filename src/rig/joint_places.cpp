#include "rig/joint_places.h"

#include <algorithm>

namespace skincells::rig {
namespace {

// Of unit length. Oblique: joints of a chain or a mirrored pair share coordinates along the axes.
const Vec3d kLine = normalized(Vec3d{0.7548776662, 0.5698402910, 0.3247179572});

} // namespace

JointPlaces::JointPlaces(const Skeleton& skeleton, std::span<const int> joints)
    : joints_(joints.begin(), joints.end()) {
  for (int j = 0; j < skeleton.jointCount(); ++j) positions_.push_back(skeleton.bindPosition(j));
  for (std::size_t i = 0; i < joints_.size(); ++i) along_.emplace_back(dot(position(joints_[i]), kLine), i);
  std::ranges::sort(along_);
}

std::vector<int> JointPlaces::near(const Vec3d& place, double reach) const {
  constexpr double kRounding = 1.000001;
  const double middle = dot(place, kLine), aside = reach * kRounding;
  std::vector<std::size_t> found;
  for (auto at = std::ranges::lower_bound(along_, std::pair(middle - aside, std::size_t{0}));
       at != along_.end() && at->first <= middle + aside; ++at)
    if (length(position(joints_[at->second]) - place) <= reach) found.push_back(at->second);
  std::ranges::sort(found);
  std::vector<int> out;
  for (std::size_t i : found) out.push_back(joints_[i]);
  return out;
}

} // namespace skincells::rig

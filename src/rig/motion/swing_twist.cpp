#include "rig/motion/swing_twist.h"

#include <algorithm>
#include <cmath>

namespace skincells::rig {
namespace {

Vec3d anyPerpendicular(const Vec3d& v) {
  const Vec3d other = std::fabs(v.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  return normalized(cross(v, other));
}

// The rotation of a map, by Gram-Schmidt orthogonalization of its axes.
std::optional<Affine> rotationOf(const Affine& map) {
  if (!map.isFinite() || !(map.determinant() > 0)) return std::nullopt;
  const Vec3d x = normalized(map.column(0));
  const Vec3d y = normalized(map.column(1) - x * dot(x, map.column(1)));
  const Vec3d z = cross(x, y);
  if (z == Vec3d{} || !isFinite(z)) return std::nullopt;
  return Affine{{{x.x, y.x, z.x, 0}, {x.y, y.y, z.y, 0}, {x.z, y.z, z.z, 0}}};
}

// Axis times angle of a rotation.
Vec3d rotationVector(const Affine& r) {
  const Vec3d doubled_sine{r.m[2][1] - r.m[1][2], r.m[0][2] - r.m[2][0], r.m[1][0] - r.m[0][1]};
  const double cosine = (r.m[0][0] + r.m[1][1] + r.m[2][2] - 1) / 2, sine = length(doubled_sine) / 2;
  const double angle = std::atan2(sine, cosine);
  if (sine > 1e-9) return normalized(doubled_sine) * angle;
  if (cosine > 0) return {};
  // Half a turn: the largest column of R + 1 lies along the axis.
  Vec3d axis;
  for (int k = 0; k < 3; ++k) {
    Vec3d column = r.column(k);
    (k == 0 ? column.x : k == 1 ? column.y : column.z) += 1;
    if (length(column) > length(axis)) axis = column;
  }
  return normalized(axis) * angle;
}

} // namespace

std::vector<Vec3d> boneDirections(const Skeleton& skeleton) {
  const auto children = childrenOf(skeleton);
  std::vector<Vec3d> directions;
  for (int j = 0; j < skeleton.jointCount(); ++j) {
    const Vec3d p = skeleton.bindPosition(j);
    Vec3d sum;
    for (int child : children[j]) sum += skeleton.bindPosition(child) - p;
    const int parent = skeleton.joints[j].parent;
    if (length(sum) == 0 && parent != kNoParent) sum = p - skeleton.bindPosition(parent);
    directions.push_back(normalized(sum));
  }
  return directions;
}

std::vector<std::optional<Affine>> turnsOf(const Skeleton& skeleton, const Pose& pose) {
  std::vector<std::optional<Affine>> turns(pose.size());
  for (std::size_t j = 0; j < pose.size(); ++j) {
    const int parent = skeleton.joints[j].parent;
    turns[j] = rotationOf(parent == kNoParent ? pose[j] : pose[parent].inverse() * pose[j]);
  }
  return turns;
}

SwingTwist splitTurn(const Affine& rotation, const Vec3d& bone) {
  if (bone == Vec3d{}) return {rotationVector(rotation), 0};
  const Vec3d turned = rotation.applyLinear(bone);
  Vec3d axis = cross(bone, turned);
  const double angle = std::atan2(length(axis), dot(bone, turned));
  axis = length(axis) > 1e-12 ? normalized(axis) : anyPerpendicular(bone);
  const Affine rest = Affine::rotation(axis, -angle) * rotation;
  const Vec3d across = anyPerpendicular(bone), twisted = rest.applyLinear(across);
  return {axis * angle, std::atan2(dot(cross(across, twisted), bone), dot(across, twisted))};
}

} // namespace skincells::rig

#include "skeleton_builder.h"

#include <cmath>

#include "base/assert.h"

namespace skincells::examples {
namespace {

// The frame at `origin` with y along `direction`, by the smallest rotation of the world axes.
Affine aimed(const Vec3d& origin, const Vec3d& direction) {
  const Vec3d up{0, 1, 0}, d = normalized(direction);
  const double angle = std::atan2(length(cross(up, d)), dot(up, d));
  Vec3d axis = cross(up, d);
  if (length(axis) < 1e-9) axis = {1, 0, 0};
  return Affine::fromTranslation(origin) * Affine::rotation(axis, angle);
}

} // namespace

SkeletonBuilder::SkeletonBuilder(const std::string& root) {
  skeleton_.joints.emplace_back().name = root;
}

void SkeletonBuilder::add(const std::string& name, const std::string& parent, const Vec3d& position) {
  const int p = skeleton_.find(parent);
  SKINCELLS_ASSERT(p >= 0 && skeleton_.find(name) < 0);
  Joint joint;
  joint.name = name;
  joint.parent = p;
  joint.bind = joint.rest = Affine::fromTranslation(position);
  skeleton_.joints.push_back(joint);
}

void SkeletonBuilder::addPair(const std::string& stem, const std::string& parent_stem, const Vec3d& position) {
  const bool sided = skeleton_.find(parent_stem + ".L") >= 0;
  add(stem + ".L", sided ? parent_stem + ".L" : parent_stem, position);
  add(stem + ".R", sided ? parent_stem + ".R" : parent_stem, {-position.x, position.y, position.z});
}

Vec3d SkeletonBuilder::at(const std::string& name) const {
  const int j = skeleton_.find(name);
  SKINCELLS_ASSERT(j >= 0);
  return skeleton_.bindPosition(j);
}

Skeleton SkeletonBuilder::build() const {
  Skeleton result = skeleton_;
  const auto children = childrenOf(skeleton_);
  for (std::size_t j = 1; j < result.joints.size(); ++j) {
    Joint& joint = result.joints[j];
    const Vec3d origin = joint.bind.translation();
    if (!children[j].empty()) {
      joint.bind = aimed(origin, skeleton_.bindPosition(children[j].front()) - origin);
    } else { // a leaf has the direction of its parent
      joint.bind = result.joints[static_cast<std::size_t>(joint.parent)].bind;
      joint.bind.m[0][3] = origin.x, joint.bind.m[1][3] = origin.y, joint.bind.m[2][3] = origin.z;
    }
    joint.rest = joint.bind;
  }
  return result;
}

std::array<double, 4> quaternionOf(const Affine& a) {
  // The squared components from the diagonal; the largest one determines the signs of the others.
  const double xx = a.m[0][0], yy = a.m[1][1], zz = a.m[2][2];
  const auto root = [](double s) { return std::sqrt(std::fmax(0.0, s)) / 2; };
  std::array<double, 4> q{root(1 + xx - yy - zz), root(1 - xx + yy - zz), root(1 - xx - yy + zz),
                          root(1 + xx + yy + zz)};
  const double yz = a.m[2][1] - a.m[1][2], zx = a.m[0][2] - a.m[2][0], xy = a.m[1][0] - a.m[0][1];
  if (q[3] > 0.1) {
    q[0] = yz / (4 * q[3]), q[1] = zx / (4 * q[3]), q[2] = xy / (4 * q[3]);
  } else {
    const double sxy = a.m[0][1] + a.m[1][0], sxz = a.m[0][2] + a.m[2][0], syz = a.m[1][2] + a.m[2][1];
    if (q[0] >= q[1] && q[0] >= q[2])
      q = {q[0], sxy / (4 * q[0]), sxz / (4 * q[0]), yz / (4 * q[0])};
    else if (q[1] >= q[2])
      q = {sxy / (4 * q[1]), q[1], syz / (4 * q[1]), zx / (4 * q[1])};
    else
      q = {sxz / (4 * q[2]), syz / (4 * q[2]), q[2], xy / (4 * q[2])};
  }
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double scale = (q[3] < 0 ? -1 : 1) / norm;
  for (double& c : q) c *= scale;
  return q;
}

Skeleton rebound(const Skeleton& skeleton, const Pose& pose) {
  Skeleton result = skeleton;
  for (std::size_t j = 0; j < result.joints.size(); ++j)
    result.joints[j].bind = result.joints[j].rest = pose[j] * skeleton.joints[j].bind;
  return result;
}

} // namespace skincells::examples

#include "garment/chain_motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "deform/lbs.h"
#include "garment/tuning.h"

namespace skincells::garment {
namespace {

constexpr std::size_t kPointsPerBone = 8;

mesh::MovingSurface placed(const mesh::SurfaceTree& tree, std::span<const Vec3f> positions) {
  std::vector<Vec3d> exact;
  exact.reserve(positions.size());
  for (const Vec3f& p : positions) exact.push_back(toDouble(p));
  mesh::MovingSurface surface(tree);
  surface.move(std::move(exact));
  return surface;
}

// By bone: the cloth nearest to it; its end if no cloth is.
std::vector<std::vector<Vec3d>> clothOf(std::span<const OwnBone> bones, const Mesh& cloth) {
  std::vector<std::vector<Vec3d>> carried(bones.size());
  for (const Vec3f& position : cloth.positions) {
    const Vec3d p = toDouble(position);
    const auto nearest = std::ranges::min_element(
        bones, {}, [&](const OwnBone& b) { return rig::closestOnSegment(p, b.a, b.b).squared_distance; });
    if (nearest != bones.end()) carried[static_cast<std::size_t>(nearest - bones.begin())].push_back(p);
  }
  for (std::size_t i = 0; i < bones.size(); ++i)
    if (carried[i].empty()) carried[i].push_back(bones[i].b);
  return carried;
}

// The rotation about a point.
Affine turnAbout(const Vec3d& center, const Vec3d& axis, double angle) {
  return Affine::fromTranslation(center) * Affine::rotation(axis, angle) * Affine::fromTranslation(-center);
}

} // namespace

ChainMotion::ChainMotion(const Skeleton& skeleton, std::span<const OwnBone> bones, const Mesh& cloth, const Body& body,
                         double margin)
    : skeleton_(skeleton), order_(parentFirstOrder(skeleton)), link_of_joint_(skeleton.joints.size(), -1), body_(body),
      tree_(std::make_shared<mesh::SurfaceTree>(body_.mesh)) {
  const mesh::MovingSurface rest = placed(*tree_, body_.mesh.positions);
  const std::vector<std::vector<Vec3d>> carried = clothOf(bones, cloth);
  for (std::size_t i = 0; i < bones.size(); ++i) {
    int& link = link_of_joint_[static_cast<std::size_t>(bones[i].joint)];
    if (link < 0) {
      link = static_cast<int>(links_.size());
      links_.push_back({bones[i].joint, {}});
    }
    const std::size_t count = std::min(kPointsPerBone, carried[i].size());
    for (std::size_t k = 0; k < count; ++k) { // evenly spaced
      const Vec3d& p = carried[i][(2 * k + 1) * carried[i].size() / (2 * count)];
      const mesh::SurfacePlace place = rest.nearest(p, INFINITY);
      if (place.found())
        links_[static_cast<std::size_t>(link)].points.push_back({p, std::min(margin, place.distance), place.triangle});
    }
  }
}

void ChainMotion::pushLink(const Link& link, const mesh::MovingSurface& surface, Pose& pose) const {
  Affine& map = pose[static_cast<std::size_t>(link.joint)];
  const Vec3d joint = map.apply(skeleton_.bindPosition(link.joint));
  double left = kTuning.most_push * std::numbers::pi / 180;
  for (int round = 0; round < kTuning.push_rounds && left > 0; ++round) {
    double worst = 0;
    Vec3d from, to;
    for (const Point& point : link.points) {
      const Vec3d p = map.apply(point.rest);
      const mesh::SurfacePlace place = surface.nearest(p, INFINITY, point.nearest);
      const double missing = point.margin - place.distance;
      if (missing <= worst) continue;
      worst = missing;
      from = p - joint;
      to = from + place.gradient * missing;
    }
    const Vec3d axis = cross(from, to);
    if (worst <= 0 || !(length(axis) > 0)) return;
    const double angle = std::min(left, std::atan2(length(axis), dot(from, to)));
    map = turnAbout(joint, axis, angle) * map;
    left -= angle;
  }
}

void ChainMotion::push(Pose& pose) const {
  if (links_.empty() || tree_->triangles().empty()) return;
  std::vector<Vec3f> posed(body_.mesh.positions.size());
  deform::skin(body_.mesh.positions, body_.weights, pose, posed);
  const mesh::MovingSurface surface = placed(*tree_, posed);
  const Pose before = pose;
  for (int j : order_) {
    const auto joint = static_cast<std::size_t>(j);
    const int parent = skeleton_.joints[joint].parent;
    if (parent >= 0 && !(pose[static_cast<std::size_t>(parent)] == before[static_cast<std::size_t>(parent)]))
      pose[joint] =
          pose[static_cast<std::size_t>(parent)] * before[static_cast<std::size_t>(parent)].inverse() * before[joint];
    if (link_of_joint_[joint] >= 0) pushLink(links_[static_cast<std::size_t>(link_of_joint_[joint])], surface, pose);
  }
}

void calmChains(std::span<const int> own, std::vector<JointMotion>& motions) {
  for (int j : own) {
    JointMotion& motion = motions[static_cast<std::size_t>(j)];
    if (motion.source != "generic") continue;
    motion.source = "garment";
    motion.range.swing = {0, kTuning.sway};
    motion.range.twist = {-kTuning.sway / 2, kTuning.sway / 2};
  }
}

} // namespace skincells::garment

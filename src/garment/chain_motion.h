// How own joints of a garment move in random poses: as engines move them, by springs with colliders. They sway a little
// by themselves, and the body pushes them out of its way.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "garment/cloth.h"
#include "skincells/garment.h"
#include "skincells/rig.h"

namespace skincells::garment {

class ChainMotion {
public:
  // cloth: at rest. body: faces outward; weights over the skeleton's joints. margin: see loss::Obstacle. The skeleton
  // must outlive the object.
  ChainMotion(const Skeleton& skeleton, std::span<const OwnBone> bones, const Mesh& cloth, const Body& body,
              double margin);

  // Turns own joints, parents first, until the cloth nearest to their bones is outside the posed body, or as deep as at
  // rest, if it moved as one piece with its bone.
  void push(Pose& pose) const;

private:
  struct Point {
    Vec3d rest; // of the cloth
    double margin = 0;
    std::uint32_t nearest = 0; // triangle at rest
  };
  struct Link {
    int joint = -1;
    std::vector<Point> points;
  };
  void pushLink(const Link& link, const mesh::MovingSurface& surface, Pose& pose) const;

  const Skeleton& skeleton_;
  std::vector<int> order_;         // joints, parents first
  std::vector<int> link_of_joint_; // -1: not an own joint
  std::vector<Link> links_;
  Body body_;
  std::shared_ptr<const mesh::SurfaceTree> tree_; // shared: copies of the motion are cheap
};

// The ranges of own joints: they sway. Ranges of clips and range files stay.
void calmChains(std::span<const int> own, std::vector<JointMotion>& motions);

} // namespace skincells::garment

// Whether a mesh and a skeleton are in one space and one pose, and what would bring them together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mesh/ray_query.h"
#include "skincells/mesh.h"
#include "skincells/rig.h"

namespace skincells::io {

// How well joints lie in a mesh. Lengths are shares of the mesh's diagonal.
struct Placement {
  double inside = 1; // share of the joints that are inside the mesh or close to it, 0 .. 1
  double cover = 0;  // mean distance of the surface to the nearest bone
  double reach = 1;  // diagonal of the skeleton
};

// Whether limbs of mesh and skeleton are at the same places.
struct LimbPlacement {
  double along = 1; // share of the bones' length that is inside the mesh or close to it, 0 .. 1
  double away = 0;  // share of the bones of which nothing is, 0 .. 1
  double far = 0;   // 95th percentile of the distance of the surface to the nearest bone
};

// Places skeletons in one mesh. The mesh must outlive it.
class PlacementMeter {
public:
  explicit PlacementMeter(const Mesh& mesh);

  // The joints moved by `mesh_from_joints`.
  Placement measure(const Skeleton& skeleton, const Affine& mesh_from_joints = {}) const;
  LimbPlacement measureLimbs(const Skeleton& skeleton) const;

private:
  bool isInside(const Vec3d& point) const;
  // Of each sample to the nearest bone, in diagonals.
  std::vector<double> distances(const Skeleton& skeleton, const std::vector<Vec3d>& joints) const;

  mesh::RayQuery query_;
  double diagonal_ = 0;
  std::vector<Vec3d> samples_; // positions of the mesh, spread evenly over its vertices
};

} // namespace skincells::io

// A mesh scaled to mesh::kCharacterSize, with everything that the guess measures on it.
#pragma once

#include <vector>

#include "mesh/ray_query.h"
#include "mesh/solve_space.h"
#include "mesh/surface_measure.h"
#include "skincells/mesh.h"
#include "skincells/rig.h"

namespace skincells::guess {

struct GuessScene {
  explicit GuessScene(const Mesh& welded);

  Vec3d toScene(const Vec3d& p) const { return (p - offset) * scale; }
  Vec3d fromScene(const Vec3d& p) const { return p * (1 / scale) + offset; }
  // The skeleton with its joint positions in the scene; rotations are dropped.
  Skeleton place(const Skeleton& skeleton) const;

  double scale = 1;
  Vec3d offset;
  Mesh mesh;
  Islands islands;
  std::vector<mesh::Part> parts; // by island
  std::vector<mesh::VertexMeasure> vertices;
  std::vector<mesh::EdgeWeight> edges; // cotangent weights, clamped
  mesh::RayQuery rays;
};

} // namespace skincells::guess

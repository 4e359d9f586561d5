// Separate parts that should move as one piece: plates, buckles, eyes, teeth. A field in space would bend them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "skincells/mesh.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::binding {

struct RigidPart {
  std::uint32_t first_vertex = 0; // welded
  std::uint32_t vertex_count = 0;
  int joint = -1; // that carries most of it
  bool eyeball = false;
};

// Gives all vertices of a part one row of weights where the part is small and the field nearly agrees with itself all
// over it; eyeball-like parts follow the leaf joint in their middle alone. The largest part is never touched. Sizes are
// relative to the mesh's diagonal. Returns the parts that were made rigid.
// weights: one canonical row per vertex of `welded`, over the skeleton's joints.
std::vector<RigidPart> makePartsRigid(const Mesh& welded, const Skeleton& skeleton, std::span<const int> deforming,
                                      SparseWeights& weights);

} // namespace skincells::binding

// How far two skinned surfaces are apart.
#pragma once

#include <vector>

#include "skincells/levels.h"
#include "skincells/mesh.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::levels {

struct SkinnedSurface {
  const Mesh* mesh = nullptr;
  const SparseWeights* weights = nullptr;
};

// Distances of the vertices of each to the surface of the other, over all poses. Both directions count alike.
// diagonal: what the results are relative to.
SurfaceError surfaceDistance(const SkinnedSurface& a, const SkinnedSurface& b, const std::vector<Pose>& poses,
                             double diagonal);

} // namespace skincells::levels

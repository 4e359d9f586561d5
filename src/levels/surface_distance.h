// The distance between two skinned surfaces.
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

// Distances from the vertices of each surface to the other, over all poses. Both directions count equally.
// diagonal: the length to which the results are relative.
SurfaceError surfaceDistance(const SkinnedSurface& a, const SkinnedSurface& b, const std::vector<Pose>& poses,
                             double diagonal);

} // namespace skincells::levels

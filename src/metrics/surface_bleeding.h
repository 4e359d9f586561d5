// measureBleeding on a surface that is at hand.
#pragma once

#include "metrics/welded_surface.h"
#include "skincells/bleeding.h"

namespace skincells::metrics {

// weights: one row per vertex of the mesh that was welded.
Bleeding measureBleeding(const WeldedSurface& surface, const SparseWeights& weights, const Skeleton& skeleton);

} // namespace skincells::metrics

// Weights from a simplified mesh to the mesh it was made from.
#pragma once

#include <span>

#include "mesh/simplify.h"
#include "skincells/weights.h"

namespace skincells::binding {

// Interpolates the rows of `weights` (one per vertex of simple.mesh) at the closest point of the simplified surface,
// and keeps as many joints per row. Vertices without a triangle to look at take the row of their cluster. positions:
// those that were clustered.
SparseWeights transferWeights(const mesh::Clustered& simple, const SparseWeights& weights,
                              std::span<const Vec3f> positions);

} // namespace skincells::binding

// A skin ready to be measured.
#pragma once

#include <algorithm>
#include <cstdint>

#include "metrics/fill_unweighted.h"
#include "skincells/mesh.h"
#include "skincells/weights.h"

namespace skincells::metrics {

// Canonical rows, and none of them empty.
struct PreparedSkin {
  SparseWeights weights;
  std::uint32_t unweighted_vertices = 0;

  PreparedSkin(const Mesh& mesh, SparseWeights source) : weights(std::move(source)) {
    canonicalize(weights, std::max(weights.slots, 1));
    unweighted_vertices = fillUnweighted(mesh.positions, weights);
  }
};

} // namespace skincells::metrics

// Weight inpainting (Abdrashitov, Raichstat, Monsen and Hill 2023, "Robust Skin Weights Transfer via Weight
// Inpainting"): the smoothest continuation of known rows over the surface.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "skincells/mesh.h"
#include "skincells/weights.h"

namespace skincells::transfer {

struct Inpainted {
  std::uint32_t filled = 0;               // rows that were inpainted
  std::vector<std::uint32_t> unreachable; // vertices of connected parts without any known row; unchanged
};

// Computes the rows of the vertices that are not known. Minimizes tr W^T (L + L M^-1 L) W over them, with L the
// cotangent Laplacian and M the vertex areas of the mesh scaled to the size of a character, so that units do not
// matter; negative weights are dropped and rows scaled to sum to 1. known, rows: one entry per vertex of `welded`.
Inpainted inpaintRows(const Mesh& welded, std::span<const char> known, SparseWeights& rows);

} // namespace skincells::transfer

// Bounded biharmonic weights (Jacobson et al. 2011, "Bounded Biharmonic Weights for Real-Time Deformation").
#pragma once

#include <span>

#include "rig/bones.h"
#include "skincells/mesh.h"
#include "skincells/result.h"
#include "skincells/weights.h"

namespace skincells::studies {

struct BiharmonicOptions {
  int max_influences = 4;
  std::uint32_t most_vertices =
      2500; // larger meshes are simplified; their vertices take the weights of the nearest place
  int iterations = 150;
};

// For each bone, the function in the tetrahedra inside the mesh that minimizes the Laplacian energy with values between
// 0 and 1, 1 on the bone and 0 on all others; then divided by the sum over the bones. The K largest are kept.
// The quadratic programs of all bones share their matrix: they are solved by ADMM (as in OSQP, Stellato et al. 2020)
// with one factorization. Where the mesh as a whole has no tetrahedra inside, those of its largest connected part are
// taken, and other vertices follow the nearest place of it. Fails where that has none, either.
Result<SparseWeights> boundedBiharmonicWeights(const Mesh& welded, std::span<const rig::BoneSegment> bones,
                                               const BiharmonicOptions& options = {});

} // namespace skincells::studies

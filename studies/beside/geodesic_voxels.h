// Geodesic voxel binding (Dionne and de Lasa 2013, "Geodesic Voxel Binding for Production Character Meshes").
#pragma once

#include <span>

#include "rig/bones.h"
#include "skincells/mesh.h"
#include "skincells/weights.h"

namespace skincells::studies {

struct VoxelOptions {
  int resolution = 128; // voxels along the largest side
  double falloff = 0.2; // alpha
  int max_influences = 4;
};

// Weights 1 / ((1 - alpha) d + alpha d^2)^2 of the distance d through the voxels of the body, solid and surface, from a
// bone to each vertex of the welded mesh. The K largest are kept.
SparseWeights geodesicVoxelWeights(const Mesh& welded, std::span<const rig::BoneSegment> bones,
                                   const VoxelOptions& options);

} // namespace skincells::studies

// Parts that hang on a character without a bone of their own: buckles, tools, horns, stirrups.
#pragma once

#include <span>
#include <vector>

#include "mesh/surface_measure.h"
#include "rig/bones.h"
#include "skincells/mesh.h"
#include "skincells/weights.h"

namespace skincells::binding {

// Gives every accessory one row for all its vertices: the mean of its host's rows where it touches the host, or comes
// nearest to it. An accessory is a connected part smaller than a quarter of the mesh's diagonal that no bone runs
// through; hosts are the other parts. Other rows stay as they are, and so does everything where there is no host.
void followHosts(const Mesh& welded, const Islands& islands, std::span<const mesh::Part> parts,
                 std::span<const rig::BoneSegment> bones, std::span<const rig::BoneSegment> leaves,
                 SparseWeights& weights);

} // namespace skincells::binding

// Springs by the rule of Larionov et al. 2025, which asks nothing of the surface but whether it is in the way.
#pragma once

#include <span>
#include <vector>

#include "rig/bones.h"
#include "skincells/mesh.h"

namespace skincells::studies {

// Ties each vertex to the nearest point of the bones, where the way there meets the bone at a right angle (not at an
// end of it) and does not cross the mesh. Vertices in ascending order.
std::vector<rig::BoneSpring> springsToNearestBones(const Mesh& welded, std::span<const rig::BoneSegment> bones);

} // namespace skincells::studies

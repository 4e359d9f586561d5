// The bones that flesh grows around: the skeleton's segments, corrected by what the mesh says.
#pragma once

#include <span>
#include <vector>

#include "mesh/ray_query.h"
#include "rig/bones.h"
#include "skincells/mesh.h"
#include "skincells/rig.h"

namespace skincells::binding {

// rig::boneSegments with two corrections:
// - a joint with several children has no bone to a child when the line between them runs mostly outside the mesh
//   (rigs built for IK hang feet and body under a root on the ground);
// - a joint without bones gets a stub towards the flesh beyond it, unless that would be too short to matter (end
//   joints, joints of a face).
// Every deforming joint keeps at least one segment, if only a point.
// scale, offset: bones are returned as (position - offset) * scale, the space of `mesh` and `rays`.
std::vector<rig::BoneSegment> fleshBones(const Skeleton& skeleton, std::span<const int> deforming,
                                         std::span<const int> misplaced, const Mesh& mesh, const mesh::RayQuery& rays,
                                         double scale, const Vec3d& offset);

} // namespace skincells::binding

// The bones that the guess measures distances to: the skeleton's segments, corrected by the mesh.
#pragma once

#include <vector>

#include "mesh/ray_query.h"
#include "rig/bones.h"
#include "skincells/mesh.h"

namespace skincells::guess {

// rig::boneSegments with corrections, in this order:
// - the end of a leaf that is marked by a node or a placeholder joint counts only inside the mesh;
// - in a rig from Blender, children far beside the end of a joint's bone get no bone;
// - a side bone that runs backward along the bone it starts from is given to that bone's joint (Biped parents the
//   thighs to the spine and the collar bones to the neck);
// - a joint whose children only mark places on its surface (a head with face joints) gets a bone that continues its
//   parent's, and the joints below it get no stub;
// - a leaf gets a bone to the joint that continues its chain elsewhere in the tree (a shin whose foot is parented to
//   the root);
// - other leaves get a stub toward the surface beyond them.
// Every deforming joint keeps at least one segment, possibly of length 0; segments of a joint are adjacent, joints in
// ascending order. The mesh's largest side is mesh::kCharacterSize.
std::vector<rig::BoneSegment> surfaceBones(const rig::DeformRig& rig, const Mesh& mesh, const mesh::RayQuery& rays);

// True if a line is mostly inside the mesh.
bool runsInside(const mesh::RayQuery& rays, const Vec3d& a, const Vec3d& b);

} // namespace skincells::guess

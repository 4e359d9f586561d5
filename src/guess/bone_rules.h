// The bones that flesh grows around: the skeleton's segments, corrected by what the mesh says.
#pragma once

#include <span>
#include <vector>

#include "mesh/ray_query.h"
#include "rig/bones.h"
#include "skincells/mesh.h"
#include "skincells/rig.h"

namespace skincells::guess {

// rig::boneSegments with corrections, in this order:
// - a side bone that runs backwards along the bone it starts from belongs to that bone's joint (Biped hangs the thighs
//   under the spine and the collar bones under the neck);
// - a joint with several children has no bone to a child when the line between them runs mostly outside the mesh (rigs
//   built for IK hang feet and body under a root on the ground);
// - a joint whose children only mark places on its own flesh (a head with the joints of a face) gets a bone straight
//   into that flesh, and the joints below it get no stub;
// - a leaf gets a bone to the joint that goes on where its own chain was cut (a shin whose foot hangs under the root);
// - other leaves get a stub towards the flesh beyond them, unless it would be too short to matter;
// - a joint whose bones are short against the flesh around it gets a bone into that flesh.
// Every deforming joint keeps at least one segment, if only a point; segments of a joint stand together, joints in
// ascending order. Lengths are those of a mesh whose largest side is mesh::kCharacterSize.
std::vector<rig::BoneSegment> fleshBones(const rig::DeformRig& rig, const Mesh& mesh, const mesh::RayQuery& rays);

} // namespace skincells::guess

// Bones that the skeleton does not have: into the flesh beyond a joint.
#pragma once

#include <vector>

#include "mesh/ray_query.h"
#include "rig/bones.h"
#include "skincells/mesh.h"
#include "skincells/rig.h"

namespace skincells::guess {

// `bones`: segments of a joint stand together, joints in ascending order; kept that way. One flag per joint elsewhere.

// Gives joints with a parent and several children, none of them far away, or with a jaw or the like for their only
// child, a bone straight on from their parent, unless a child stands there; returns which joints are features of such a
// joint's flesh (a face): they should get no stub.
std::vector<bool> addHubBones(const Skeleton& skeleton, const mesh::RayQuery& rays,
                              std::vector<rig::BoneSegment>& bones);

// Turns the points of the `wanted` joints into stubs where they are long enough to matter.
void addLeafStubs(const Skeleton& skeleton, const Mesh& mesh, const mesh::RayQuery& rays,
                  const std::vector<bool>& wanted, std::vector<rig::BoneSegment>& bones);

// Gives joints whose longest bone is short against the way to the middle of the flesh nearest to them a bone into it.
void addFleshBones(const Mesh& mesh, std::size_t joint_count, std::vector<rig::BoneSegment>& bones);

} // namespace skincells::guess

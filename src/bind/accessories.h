// Parts that move as one piece: buckles, tools, horns, stirrups, eyeballs.
#pragma once

#include <span>

#include "bind/guess_scene.h"
#include "rig/bones.h"
#include "skincells/weights.h"

namespace skincells::binding {

// Gives connected parts that move as one piece a single row of weights; other rows stay as they are.
// - A small, roundish part with a leaf joint in its middle (an eyeball) follows that joint alone.
// - An accessory, a part smaller than a quarter of the mesh that no bone runs through, follows its host: the mean of
//   the rows of other parts where it touches them, or comes nearest to them.
// bones: as from fleshBones.
void bindRigidParts(const GuessScene& scene, const Skeleton& placed, std::span<const rig::BoneSegment> bones,
                    SparseWeights& weights);

} // namespace skincells::binding

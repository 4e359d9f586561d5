// Limbs whose chain of joints is cut: the foot of an IK rig hangs on the root, not on the shin.
#pragma once

#include "guess/guess_scene.h"
#include "rig/bones.h"
#include "skincells/rig.h"

namespace skincells::guess {

// Hangs the root of a small tree of deforming joints on the last joint of a limb that it continues: it is ahead, near,
// on the same side of the body, and the line between them is inside the mesh. Only parents change.
// skeleton: that of the rig, placed in the scene.
void joinCutChains(Skeleton& skeleton, const rig::DeformRig& rig, const GuessScene& scene);

} // namespace skincells::guess

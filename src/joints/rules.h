// Which joints of a skeleton deform the mesh, decided from their names and places.
#pragma once

#include <vector>

#include "skincells/character.h"
#include "skincells/joints.h"

namespace skincells::joints {

// Decides joint by joint with a short list of rules; the first that applies wins, and the decision contains its code
// and reason:
//   placeholder  the bind matrix puts the joint at the origin, the node tree puts it elsewhere or has another scale
//   root         the top of the skeleton, outside the mesh
//   copy         on a joint of the same name, in a chain that was duplicated
//   control      named like an IK target, a control or a slot, and nothing below it deforms, or it is away from the
//                mesh, or another joint is at its position
//   end          a leaf that only marks where its parent's bone ends
//   outside      away from the mesh, and nothing below it deforms
//   unmarked     not marked as a deform bone in a rig that marks them, and on such a bone or outside
//   twin         at the same position as its only child
//   deforms      everything else, and every humanoid bone of a VRM file that is no placeholder
// The order reflects the cost of errors: keeping a placeholder or an extra root is worst, dropping a joint that should
// deform comes next, and keeping an end joint hardly matters. If no joint would be left, all are kept.
std::vector<JointDecision> chooseByRules(const Character& character);

// The joints that the placeholder rule dropped. Their positions are unspecified, so no bone may end at them.
std::vector<int> misplacedJoints(const std::vector<JointDecision>& decisions);

} // namespace skincells::joints

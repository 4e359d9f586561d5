// Which joints of two skeletons are the same.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "skincells/result.h"
#include "skincells/rig.h"

namespace skincells::transfer {

// For each joint of `wanted` (indices into `from`), the joint of `to` of the same name; where several have the name,
// the first goes to the first of them. Error (Mismatch): lists the joints that are missing, each with the one that
// might be meant. `where` names what lacks them.
Result<std::vector<int>> matchJoints(const Skeleton& from, std::span<const int> wanted, const Skeleton& to,
                                     const std::string& where);

// The joint whose name is nearest to `name`: the same words in another spelling, or a few letters off; -1: none.
int nearestName(const std::string& name, const Skeleton& skeleton);

} // namespace skincells::transfer

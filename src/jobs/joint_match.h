// Joints of one file found in the skeleton of another.
#pragma once

#include <string>
#include <vector>

#include "skincells/result.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::jobs {

// The weights over the skeleton's joints instead of those in `names`. Names are matched exactly, equal names in order.
// A joint without weights may be missing. `where`: the file with the weights, for messages.
Result<SparseWeights> overSkeleton(SparseWeights weights, const std::vector<std::string>& names,
                                   const Skeleton& skeleton, const std::string& where);

} // namespace skincells::jobs

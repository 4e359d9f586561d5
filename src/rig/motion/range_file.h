// Range files: how far joints turn, given by the user (docs/motion.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "skincells/result.h"
#include "skincells/rig.h"

namespace skincells::rig {

// Applies the entries of a range file to the ranges (one per joint): first "default" to all, then the entries of
// "joints" in order. Joints that an entry changes get the source "rom-file". `where` names the file in errors.
Result<void> applyRanges(const Skeleton& skeleton, std::string_view text, const std::string& where,
                         std::vector<JointMotion>& motions);
// The same for a file.
Result<void> applyRangeFile(const Skeleton& skeleton, const std::string& path, std::vector<JointMotion>& motions);

} // namespace skincells::rig

// Range files: how far joints turn, as the user says (docs/formats.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "skincells/result.h"
#include "skincells/rig.h"

namespace skincells::rig {

// Lays the entries of a range file over the ranges known so far (one per joint): first "default" over all, then the
// entries of "joints" in order. Joints that an entry changes have the source "rom-file". `where` names the file.
Result<void> applyRanges(const Skeleton& skeleton, std::string_view text, const std::string& where,
                         std::vector<JointMotion>& motions);
// The same for a file.
Result<void> applyRangeFile(const Skeleton& skeleton, const std::string& path, std::vector<JointMotion>& motions);

} // namespace skincells::rig

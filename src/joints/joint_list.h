// Joint lists: text files that say which joints may deform (docs/joints.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "skincells/joints.h"

namespace skincells::joints {

// Applies the lines of a joint list, later ones over earlier ones. `where` names the list in errors and reasons.
Result<std::vector<JointDecision>> chooseByList(const Skeleton& skeleton, std::string_view text,
                                                const std::string& where);
// Applies the user's decisions about single joints on top of `decisions`: a full name takes precedence over a pattern,
// and of two patterns the one that drops wins. A name or pattern that matches no joint is an error, and so is a name
// that is both kept and dropped.
Result<void> applyOverrides(const Skeleton& skeleton, const JointOverrides& overrides,
                            std::vector<JointDecision>& decisions);

// The joints that a list of names and patterns, separated by commas, matches; ascending. An entry that matches none is
// an error. option: for messages.
Result<std::vector<int>> jointsNamed(const Skeleton& skeleton, std::string_view list, const std::string& option);

// The same as chooseByList for a file.
Result<std::vector<JointDecision>> chooseByListFile(const Skeleton& skeleton, const std::string& path);

} // namespace skincells::joints

// Joint lists: text files that say which joints may deform (docs/formats.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "skincells/bind.h"

namespace skincells::binding {

// Does the whole name match? `*` stands for any characters, `?` for one; case matters.
bool globMatches(std::string_view pattern, std::string_view name);

// Applies the lines of a joint list, later ones over earlier ones. `where` names the list in errors and reasons.
Result<std::vector<JointDecision>> chooseByList(const Skeleton& skeleton, std::string_view text,
                                                const std::string& where);
// The same for a file.
Result<std::vector<JointDecision>> chooseByListFile(const Skeleton& skeleton, const std::string& path);

} // namespace skincells::binding

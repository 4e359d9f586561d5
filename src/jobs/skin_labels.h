// Names of several skins on pictures and pages.
#pragma once

#include <string>
#include <vector>

#include "skincells/result.h"

namespace skincells::jobs {

// The names that are given, separated by commas; else the names of the files without folder and extension, with as many
// folders as tell equal ones apart. Fails if their number is wrong.
Result<std::vector<std::string>> skinLabels(const std::vector<std::string>& paths, const std::string& given);

} // namespace skincells::jobs

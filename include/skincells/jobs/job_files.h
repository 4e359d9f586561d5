// The files of a job, and the check that keeps inputs safe.
#pragma once

#include <string>
#include <vector>

#include "skincells/result.h"

namespace skincells {

// Empty names are ignored.
struct JobFiles {
  std::vector<std::string> inputs, outputs;
};

// Fails if an output is also an input or another output. Files that do not exist yet are compared by their path.
Result<void> checkFiles(const JobFiles& files);

} // namespace skincells

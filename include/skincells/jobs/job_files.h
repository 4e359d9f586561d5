// The files of a job.
#pragma once

#include <string>
#include <vector>

#include "skincells/io/output_set.h"
#include "skincells/result.h"

namespace skincells {

// As far as they are known before the job runs. Empty names are ignored.
struct JobFiles {
  std::vector<std::string> inputs, outputs;
  bool force = false; // existing outputs are replaced
};

// Adds them to a run. Fails if an output is also an input or another output, exists without `force`, or cannot be
// written.
Result<void> declareFiles(const JobFiles& files, OutputSet& outputs);

} // namespace skincells

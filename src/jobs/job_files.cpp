#include "skincells/jobs/job_files.h"

#include "base/try.h"

namespace skincells {

Result<void> declareFiles(const JobFiles& files, OutputSet& outputs) {
  SKINCELLS_CHECK(outputs.addInputs(files.inputs));
  for (const std::string& path : files.outputs) SKINCELLS_CHECK(outputs.addOutput(path, files.force));
  return {};
}

} // namespace skincells

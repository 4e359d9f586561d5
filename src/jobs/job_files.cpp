#include "skincells/jobs/job_files.h"

#include <algorithm>

#include "io/file_access.h"

namespace skincells {

Result<void> checkFiles(const JobFiles& files) {
  for (auto output = files.outputs.begin(); output != files.outputs.end(); ++output) {
    if (output->empty()) continue;
    const auto isOutput = [&](const std::string& other) { return !other.empty() && io::sameFile(other, *output); };
    if (std::ranges::any_of(files.inputs, isOutput)) return io::outputIsInput(*output);
    if (std::any_of(files.outputs.begin(), output, isOutput))
      return Error{ErrorCode::CannotWrite, "is used for two outputs; choose a different name for each", *output};
  }
  return {};
}

} // namespace skincells

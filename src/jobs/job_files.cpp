#include "skincells/jobs/job_files.h"

#include <algorithm>
#include <filesystem>

namespace skincells {
namespace {

namespace fs = std::filesystem;

bool sameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) ||
         fs::absolute(a, error).lexically_normal() == fs::absolute(b, error).lexically_normal();
}

} // namespace

Result<void> checkFiles(const JobFiles& files) {
  for (auto output = files.outputs.begin(); output != files.outputs.end(); ++output) {
    if (output->empty()) continue;
    const auto isOutput = [&](const std::string& other) { return !other.empty() && sameFile(other, *output); };
    if (std::ranges::any_of(files.inputs, isOutput))
      return Error{ErrorCode::CannotWrite, "is also an input, and inputs are never changed; choose another name",
                   *output};
    if (std::any_of(files.outputs.begin(), output, isOutput))
      return Error{ErrorCode::CannotWrite, "is used for two outputs; choose a different name for each", *output};
  }
  return {};
}

} // namespace skincells

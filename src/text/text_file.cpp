#include "text/text_file.h"

#include <filesystem>

#include "base/read_file.h"
#include "base/try.h"

namespace skincells::text {

Result<std::string> readTextFile(const std::string& path, const TextFileUse& use) {
  const std::string what = use.what;
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error)
    return Error{ErrorCode::FileNotFound,
                 "cannot open the " + what + " '" + path + "'; give " + use.others + " or the path of a " + what,
                 use.option};
  constexpr std::uintmax_t kLargest = 16U << 20U;
  if (size > kLargest)
    return Error{ErrorCode::TooLarge, "a " + what + " can have at most 16 MB; is this the right file?", path};
  SKINCELLS_TRY(bytes, readFile(path));
  return std::string(bytes.begin(), bytes.end());
}

} // namespace skincells::text

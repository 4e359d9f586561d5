#include "text/text_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace skincells::text {

Result<std::string> readTextFile(const std::string& path, const TextFileUse& use) {
  const std::string what = use.what;
  std::error_code ignored;
  std::ifstream in(path, std::ios::binary);
  if (!in || !std::filesystem::is_regular_file(path, ignored))
    return Error{ErrorCode::FileNotFound,
                 "cannot open the " + what + " '" + path + "'; give " + use.others + " or the path of a " + what,
                 use.option};
  constexpr std::uintmax_t kLargest = 16U << 20U;
  if (std::filesystem::file_size(path, ignored) > kLargest)
    return Error{ErrorCode::TooLarge, "a " + what + " can have at most 16 MB; is this the right file?", path};
  return std::string{std::istreambuf_iterator<char>(in), {}};
}

} // namespace skincells::text

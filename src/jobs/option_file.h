// Options that are a keyword or the path of a file.
#pragma once

#include <filesystem>
#include <string>

namespace skincells::jobs {

// The value if it is the path of a file, else nothing.
inline std::string optionFile(const std::string& value) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(value, ignored) ? value : std::string();
}

} // namespace skincells::jobs

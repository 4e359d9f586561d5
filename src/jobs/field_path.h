// Field files by their name.
#pragma once

#include <filesystem>
#include <string>

namespace skincells::jobs {

// Is it named like a field file (.skc)?
inline bool isFieldPath(const std::string& path) {
  return std::filesystem::path(path).extension() == ".skc";
}

} // namespace skincells::jobs

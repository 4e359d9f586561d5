// Reading whole files, and writing files that appear under their name only when complete.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "skincells/result.h"

namespace skincells::io {

Result<std::vector<std::uint8_t>> readFile(const std::string& path);

struct OutputFile {
  std::string path;
  std::vector<std::uint8_t> bytes;
};

// Writes all files under temporary names beside their targets, then renames them in order; folders that are missing
// below the folder of the last file are made. On failure nothing is left behind. Existing targets are refused unless
// `force`.
Result<void> writeFiles(std::span<const OutputFile> files, bool force);

// Could a file be written there? Leaves no trace.
Result<void> checkWritable(const std::string& path);

// Is `b` the same existing file as `a`?
bool sameFile(const std::string& a, const std::string& b);

} // namespace skincells::io

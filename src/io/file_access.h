// Reading whole files, and writing files that appear under their name only when complete.
#pragma once

#include <cstdint>
#include <functional>
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

// Takes the next piece of a file; false when it cannot be written.
using Sink = std::function<bool(std::span<const std::uint8_t>)>;

// The same for one file whose bytes come piece by piece: `produce` hands them to the sink and stops when it says so.
Result<void> writeStream(const std::string& path, bool force, const std::function<bool(const Sink&)>& produce);

// May a file appear there? Not where one exists, unless `force`, and never where a folder is.
Result<void> checkTarget(const std::string& path, bool force);

// Could a file be written there? Leaves no trace.
Result<void> checkWritable(const std::string& path);

// Is `b` the same existing file as `a`?
bool sameFile(const std::string& a, const std::string& b);

} // namespace skincells::io

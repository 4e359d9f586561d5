// Reads whole files, and writes files that appear under their name only when complete.
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

// Writes all files under temporary names in their folders, then renames them in order. Missing folders below that of
// the last file are created. On failure nothing is left behind. Existing files are replaced only with `force`.
Result<void> writeFiles(std::span<const OutputFile> files, bool force);

// Takes the next piece of a file; returns false if it cannot be written.
using Sink = std::function<bool(std::span<const std::uint8_t>)>;

// The same for one file whose bytes come in pieces: `produce` passes them to the sink, and returns false once the sink
// does.
Result<void> writeStream(const std::string& path, bool force, const std::function<bool(const Sink&)>& produce);

// Fails if the path is a folder, or exists and `force` is not set.
Result<void> checkTarget(const std::string& path, bool force);

// Fails if no file can be written to the path. Leaves no file behind.
Result<void> checkWritable(const std::string& path);

// Whether both paths name the same file. Files that do not exist are compared by their path.
bool sameFile(const std::string& a, const std::string& b);
// Fails if the output is an existing file and the same as the input.
Result<void> checkNotInput(const std::string& output, const std::string& input);

} // namespace skincells::io

// Reads files. Only regular files: a pipe or a device may block, never end, or change when it is read.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "skincells/result.h"

namespace skincells {

// The bytes of a regular file. Everything else is refused.
Result<std::vector<std::uint8_t>> readFile(const std::string& path);
// Hands its bytes on in pieces: memory does not grow with its size.
Result<void> readPieces(const std::string& path, const std::function<void(std::span<const std::uint8_t>)>& take);

// The path, without symbolic links, of a file that another file in `folder` refers to. It must lie in the folder or
// below, also after symbolic links are followed; otherwise the error is UnsafeReference.
Result<std::string> pathBelow(const std::string& folder, const std::string& relative);
// The bytes of that file.
Result<std::vector<std::uint8_t>> readFileBelow(const std::string& folder, const std::string& relative);

} // namespace skincells

// Small files that options name.
#pragma once

#include <string>

#include "skincells/result.h"

namespace skincells::text {

// What an option may be instead of a path is said in the error, so that a slip of the pen is understood.
struct TextFileUse {
  const char* what;   // "joint list"
  const char* option; // "--joints"
  const char* others; // "auto, all, weighted"
};

// The whole file, at most 16 MB.
Result<std::string> readTextFile(const std::string& path, const TextFileUse& use);

} // namespace skincells::text

// Small text files named by options.
#pragma once

#include <string>

#include "skincells/result.h"

namespace skincells::text {

// The error for a missing file lists the other values of the option, in case of a typo.
struct TextFileUse {
  const char* what;   // "joint list"
  const char* option; // "--joints"
  const char* others; // "auto, all, weighted"
};

// The whole file, at most 16 MB.
Result<std::string> readTextFile(const std::string& path, const TextFileUse& use);

} // namespace skincells::text

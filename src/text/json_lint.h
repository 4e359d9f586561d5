// What a JSON parser lets pass or says too little about.
#pragma once

#include <string>
#include <string_view>

#include "skincells/result.h"

namespace skincells::text {

// Fails for text that is not JSON, with the line, and for an object that has a key twice, with its JSON pointer.
// `where` names the file.
Result<void> checkJson(std::string_view text, const std::string& where);

// A key as part of a JSON pointer: "/" and "~" escaped, with a "/" before it.
std::string pointerPart(std::string_view key);

} // namespace skincells::text

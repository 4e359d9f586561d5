// Checks that the JSON parser does not make, or reports too briefly.
#pragma once

#include <string>
#include <string_view>

#include "skincells/result.h"

namespace skincells::text {

// Fails if the text is not JSON (the error names the line), or if an object has a duplicate key (the error has its JSON
// pointer). `where` names the file.
Result<void> checkJson(std::string_view text, const std::string& where);

// A key as one step of a JSON pointer: "/" and the key, in which "/" and "~" are escaped.
std::string pointerPart(std::string_view key);

} // namespace skincells::text

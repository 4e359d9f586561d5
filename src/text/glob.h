// Name patterns with wildcards.
#pragma once

#include <string_view>

namespace skincells::text {

// Whether the whole name matches the pattern: `*` matches any characters, `?` exactly one. Case matters.
bool globMatches(std::string_view pattern, std::string_view name);

// Whether the text contains a wildcard.
bool hasWildcard(std::string_view text);

} // namespace skincells::text

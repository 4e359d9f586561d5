// Splitting and trimming text.
#pragma once

#include <string_view>
#include <vector>

namespace skincells::text {

// The text without the blanks (space, tab, line ends) at its ends.
std::string_view trimmed(std::string_view text);

// The trimmed parts between separators, empty ones included: "a,,b" has three. An empty text has none.
std::vector<std::string_view> split(std::string_view text, char separator);

// The same without the empty parts.
std::vector<std::string_view> splitNonEmpty(std::string_view text, char separator);

} // namespace skincells::text

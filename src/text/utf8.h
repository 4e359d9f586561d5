// Characters of UTF-8 text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skincells::text {

// The code points; U+FFFD for each byte that is not UTF-8.
std::vector<std::uint32_t> codePoints(std::string_view text);

// The text with its middle replaced by an ellipsis if it has more than `most` characters; names that belong together
// mostly differ at the end. `most` is at least 3.
std::string shortened(std::string_view text, std::size_t most);

} // namespace skincells::text

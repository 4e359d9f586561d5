// Pieces of HTML.
#pragma once

#include <string>
#include <string_view>

namespace skincells::page {

// Text as HTML text or attribute value. Control characters that HTML forbids become U+FFFD.
std::string escaped(std::string_view text);

} // namespace skincells::page

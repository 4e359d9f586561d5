// Pieces of HTML.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace skincells::page {

// Text as HTML text or attribute value. Control characters that HTML forbids become U+FFFD.
std::string escaped(std::string_view text);
// Bytes in base 64 (RFC 4648, with padding).
std::string base64(std::span<const std::uint8_t> bytes);

// The page's style sheet.
std::string_view pageStyle();

} // namespace skincells::page

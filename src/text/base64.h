// Base64 (RFC 4648, section 4).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skincells::text {

// With padding.
std::string encodeBase64(std::span<const std::uint8_t> bytes);

// Nothing if the text contains a character outside the alphabet. Padding may be missing.
std::optional<std::vector<std::uint8_t>> decodeBase64(std::string_view text);

} // namespace skincells::text

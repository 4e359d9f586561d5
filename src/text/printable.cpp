#include "text/printable.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace skincells::text {
namespace {

constexpr char32_t kInvalid = 0xFFFFFFFF;

struct Character {
  char32_t code = kInvalid;
  std::size_t length = 1; // bytes
};

// The character at the start of the text, which is not empty.
Character firstOf(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  char32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  static constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kLeast[length] || is_surrogate || code > 0x10FFFF) return {};
  return {code, length};
}

bool isControl(char32_t code) {
  struct Range {
    char32_t first, last;
  };
  // Control characters, marks of direction, separators of lines, overrides of direction, isolates.
  static constexpr Range kRanges[] = {{0, 0x1F},        {0x7F, 0x9F},     {0x61C, 0x61C},
                                      {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}};
  return std::any_of(std::begin(kRanges), std::end(kRanges),
                     [&](const Range& r) { return code >= r.first && code <= r.last; });
}

std::string hexadecimal(std::uint32_t value, int digits) {
  std::string out;
  for (int i = digits - 1; i >= 0; --i) out += "0123456789abcdef"[value >> (4U * static_cast<unsigned>(i)) & 15U];
  return out;
}

} // namespace

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Character c = firstOf(text);
    if (c.code == kInvalid || (isControl(c.code) && c.code < 0x80))
      out += "\\x" + hexadecimal(static_cast<std::uint8_t>(text[0]), 2);
    else if (isControl(c.code))
      out += "\\u" + hexadecimal(c.code, 4);
    else
      out += text.substr(0, c.length);
    text.remove_prefix(c.length);
  }
  return out;
}

std::string printableJson(std::string_view document) {
  std::string out;
  out.reserve(document.size());
  while (!document.empty()) {
    const Character c = firstOf(document);
    // Below that, there are only line ends outside of strings.
    if (c.code != kInvalid && c.code >= 0x7F && isControl(c.code))
      out += "\\u" + hexadecimal(c.code, 4);
    else
      out += document.substr(0, c.length);
    document.remove_prefix(c.length);
  }
  return out;
}

} // namespace skincells::text

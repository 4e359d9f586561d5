#include "text/utf8.h"

namespace skincells::text {
namespace {

constexpr std::uint32_t kUnknown = 0xFFFD;

// The number of bytes of the character that begins here, and its code point; one byte and U+FFFD if it is damaged.
struct Character {
  std::size_t size;
  std::uint32_t code;
};
Character characterAt(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(at);
  if (lead < 0x80) return {1, lead};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  static constexpr std::uint32_t kLeast[] = {0x80, 0x800, 0x10000};
  if (lead < 0xC0 || lead > 0xF7 || at + size > text.size()) return {1, kUnknown};
  std::uint32_t code = lead & (0x7FU >> size);
  for (std::size_t i = at + 1; i < at + size; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {1, kUnknown};
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  return code < kLeast[size - 2] || code > 0x10FFFF ? Character{1, kUnknown} : Character{size, code};
}

} // namespace

std::vector<std::uint32_t> codePoints(std::string_view text) {
  std::vector<std::uint32_t> codes;
  for (std::size_t i = 0; i < text.size();) {
    const Character c = characterAt(text, i);
    codes.push_back(c.code);
    i += c.size;
  }
  return codes;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < text.size(); i += characterAt(text, i).size) begins.push_back(i);
  if (begins.size() <= most || most < 3) return std::string(text);
  const std::size_t head = (most - 1) / 2, tail = most - 1 - head;
  return std::string(text.substr(0, begins[head])) + "\u2026" + std::string(text.substr(begins[begins.size() - tail]));
}

} // namespace skincells::text

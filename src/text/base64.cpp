#include "text/base64.h"

#include <array>

namespace skincells::text {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<int, 256> makeDigitValues() {
  std::array<int, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i)
    values[static_cast<std::uint8_t>(kAlphabet[i])] = static_cast<int>(i);
  return values;
}
constexpr std::array<int, 256> kDigitValues = makeDigitValues();

} // namespace

std::string encodeBase64(std::span<const std::uint8_t> bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    const std::uint32_t group = (std::uint32_t{bytes[i]} << 16U) | (left > 1 ? std::uint32_t{bytes[i + 1]} << 8U : 0U) |
                                (left > 2 ? std::uint32_t{bytes[i + 2]} : 0U);
    out += kAlphabet[group >> 18U];
    out += kAlphabet[(group >> 12U) & 63U];
    out += left > 1 ? kAlphabet[(group >> 6U) & 63U] : '=';
    out += left > 2 ? kAlphabet[group & 63U] : '=';
  }
  return out;
}

std::optional<std::vector<std::uint8_t>> decodeBase64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::vector<std::uint8_t> out;
  out.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int bit_count = 0;
  for (const char c : text) {
    const int value = kDigitValues[static_cast<std::uint8_t>(c)];
    if (value < 0) return std::nullopt;
    bits = (bits << 6U) | static_cast<std::uint32_t>(value);
    bit_count += 6;
    if (bit_count < 8) continue;
    bit_count -= 8;
    out.push_back(static_cast<std::uint8_t>(bits >> bit_count));
  }
  return out;
}

} // namespace skincells::text

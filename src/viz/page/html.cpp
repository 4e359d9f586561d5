#include "viz/page/html.h"

namespace skincells::page {

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (char c : text) {
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default: {
      const auto byte = static_cast<unsigned char>(c);
      const bool forbidden = (byte < 32 && c != '\n' && c != '\t') || byte == 127;
      if (forbidden)
        out += "\xEF\xBF\xBD";
      else
        out += c;
    }
    }
  }
  return out;
}

std::string base64(std::span<const std::uint8_t> bytes) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    const std::uint32_t group = (std::uint32_t{bytes[i]} << 16U) | (left > 1 ? std::uint32_t{bytes[i + 1]} << 8U : 0U) |
                                (left > 2 ? std::uint32_t{bytes[i + 2]} : 0U);
    out += kDigits[group >> 18U];
    out += kDigits[(group >> 12U) & 63U];
    out += left > 1 ? kDigits[(group >> 6U) & 63U] : '=';
    out += left > 2 ? kDigits[group & 63U] : '=';
  }
  return out;
}

} // namespace skincells::page

#include "io/uri.h"

#include <array>
#include <filesystem>

namespace skincells::io {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> percentDecode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size() || hexDigit(text[i + 1]) < 0 || hexDigit(text[i + 2]) < 0) return std::nullopt;
    out += static_cast<char>(hexDigit(text[i + 1]) * 16 + hexDigit(text[i + 2]));
    i += 2;
  }
  return out;
}

std::optional<std::vector<std::uint8_t>> decodeBase64(std::string_view text) {
  static const auto kValues = [] {
    std::array<int, 256> v{};
    v.fill(-1);
    for (std::size_t i = 0; i < kAlphabet.size(); ++i) v[static_cast<std::uint8_t>(kAlphabet[i])] = static_cast<int>(i);
    return v;
  }();
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::vector<std::uint8_t> out;
  out.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int held = 0;
  for (char c : text) {
    const int value = kValues[static_cast<std::uint8_t>(c)];
    if (value < 0) return std::nullopt;
    bits = (bits << 6U) | static_cast<std::uint32_t>(value);
    held += 6;
    if (held >= 8) {
      held -= 8;
      out.push_back(static_cast<std::uint8_t>(bits >> held));
    }
  }
  return out;
}

} // namespace

bool isDataUri(std::string_view uri) {
  return uri.starts_with("data:");
}

Result<std::vector<std::uint8_t>> decodeDataUri(std::string_view uri, const std::string& where) {
  const auto comma = uri.find(',');
  if (comma == std::string_view::npos || !uri.substr(0, comma).ends_with(";base64"))
    return Error{ErrorCode::InvalidFile, "embedded data must be base64 ('data:...;base64,...')", where};
  auto bytes = decodeBase64(uri.substr(comma + 1));
  if (!bytes) return Error{ErrorCode::InvalidFile, "the embedded base64 data is damaged", where};
  return std::move(*bytes);
}

std::string encodeDataUri(const std::vector<std::uint8_t>& bytes, std::string_view media_type) {
  std::string out = "data:" + std::string(media_type) + ";base64,";
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = static_cast<std::uint32_t>(bytes[i]) << 16U;
    if (i + 1 < bytes.size()) bits |= static_cast<std::uint32_t>(bytes[i + 1]) << 8U;
    if (i + 2 < bytes.size()) bits |= bytes[i + 2];
    for (unsigned k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : kAlphabet[(bits >> (18 - 6 * k)) & 63U];
  }
  return out;
}

Result<std::string> relativePathOfUri(std::string_view uri, const std::string& where) {
  const auto refused = [&](std::string why) {
    return Error{ErrorCode::UnsafeReference,
                 "'" + std::string(uri.substr(0, 120)) + "' " + std::move(why) +
                     "; only files in the same folder or below are read",
                 where};
  };
  const auto decoded = percentDecode(uri);
  if (!decoded || decoded->empty() || decoded->find('\0') != std::string::npos)
    return refused("is not a usable file name");
  const auto colon = decoded->find(':');
  if (colon != std::string::npos && colon < decoded->find('/')) return refused("is a network address or a drive");
  if ((*decoded)[0] == '/' || decoded->find('\\') != std::string::npos) return refused("is an absolute path");
  const auto path = std::filesystem::path(*decoded).lexically_normal();
  if (path.empty() || *path.begin() == "..") return refused("leaves the file's folder");
  return path.string();
}

} // namespace skincells::io

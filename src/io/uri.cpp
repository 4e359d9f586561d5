#include "io/uri.h"

#include <filesystem>
#include <optional>

#include "text/base64.h"

namespace skincells::io {
namespace {

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

} // namespace

bool isDataUri(std::string_view uri) {
  return uri.starts_with("data:");
}

Result<std::vector<std::uint8_t>> decodeDataUri(std::string_view uri, const std::string& where) {
  const auto comma = uri.find(',');
  if (comma == std::string_view::npos || !uri.substr(0, comma).ends_with(";base64"))
    return Error{ErrorCode::InvalidFile, "embedded data must be base64 ('data:...;base64,...')", where};
  auto bytes = text::decodeBase64(uri.substr(comma + 1));
  if (!bytes) return Error{ErrorCode::InvalidFile, "the embedded base64 data is damaged", where};
  return std::move(*bytes);
}

std::string encodeDataUri(const std::vector<std::uint8_t>& bytes, std::string_view media_type) {
  return "data:" + std::string(media_type) + ";base64," + text::encodeBase64(bytes);
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

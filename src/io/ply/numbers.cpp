#include "io/ply/numbers.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace skincells::io {
namespace {

// Calls body(T{}) with the C++ type of a PLY type.
template <class Body> auto withType(PlyType type, const Body& body) {
  switch (type) {
  case PlyType::I8:
    return body(std::int8_t{});
  case PlyType::U8:
    return body(std::uint8_t{});
  case PlyType::I16:
    return body(std::int16_t{});
  case PlyType::U16:
    return body(std::uint16_t{});
  case PlyType::I32:
    return body(std::int32_t{});
  case PlyType::U32:
    return body(std::uint32_t{});
  case PlyType::F32:
    return body(float{});
  case PlyType::F64:
    break;
  }
  return body(double{});
}

bool isForeignOrder(PlyFormat format) {
  return (format == PlyFormat::BigEndian) != (std::endian::native == std::endian::big);
}

template <class T> T convert(double value) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else {
    if (std::isnan(value)) return 0;
    return static_cast<T>(
        std::clamp<double>(std::nearbyint(value), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  }
}

template <class T> void appendText(T value, std::vector<std::uint8_t>& out) {
  char buffer[40];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  out.insert(out.end(), buffer, result.ptr);
}

template <class T> void appendBinary(T value, PlyFormat format, std::vector<std::uint8_t>& out) {
  std::uint8_t bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  if (isForeignOrder(format)) std::reverse(bytes, bytes + sizeof value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

// Whether a number out of the range of doubles is too small (and so read as 0) rather than too large.
bool isTiny(std::string_view text) {
  const std::size_t exponent = text.find_first_of("eE");
  if (exponent != std::string_view::npos) return text.substr(exponent + 1).starts_with('-');
  return text.substr(0, text.find('.')).find_first_not_of("-0") == std::string_view::npos;
}

} // namespace

double readPlyBinary(const std::uint8_t* at, PlyType type, PlyFormat format) {
  return withType(type, [&](auto value) {
    std::uint8_t bytes[sizeof value];
    std::memcpy(bytes, at, sizeof value);
    if (isForeignOrder(format)) std::reverse(bytes, bytes + sizeof value);
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<double>(value);
  });
}

std::optional<double> readPlyText(std::string_view text, PlyType type) {
  double value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ptr != end || text.empty()) return std::nullopt;
  if (result.ec == std::errc::result_out_of_range) {
    if (!isTiny(text)) return std::nullopt;
  } else if (result.ec != std::errc()) {
    return std::nullopt;
  }
  if (isPlyInteger(type)) {
    const double kept = withType(type, [&](auto t) { return static_cast<double>(convert<decltype(t)>(value)); });
    if (kept != value) return std::nullopt;
  }
  return value;
}

void writePlyNumber(double value, PlyType type, PlyFormat format, std::vector<std::uint8_t>& out) {
  withType(type, [&](auto t) {
    const auto converted = convert<decltype(t)>(value);
    if (format != PlyFormat::Ascii)
      appendBinary(converted, format, out);
    else if constexpr (sizeof t == 1)
      appendText(static_cast<int>(converted), out); // a byte is a number, not a character
    else
      appendText(converted, out);
  });
}

} // namespace skincells::io

#include "skincells/options.h"

#include <charconv>
#include <cmath>

namespace skincells::options {
namespace {

Error bad(const OptionInfo& info, std::string_view text, std::string_view wanted) {
  return {ErrorCode::InvalidOption,
          "'" + std::string(text) + "' is not " + std::string(wanted) + "; give a value in the range " + info.range,
          "--" + info.name};
}

template <class N> bool parseWhole(std::string_view text, N& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

} // namespace

Result<std::int64_t> parseInteger(const OptionInfo& info, std::string_view text, std::int64_t lo, std::int64_t hi) {
  std::int64_t value = 0;
  if (!parseWhole(text, value)) return bad(info, text, "a whole number");
  if (value < lo || value > hi) return bad(info, text, "allowed");
  return value;
}

Result<double> parseReal(const OptionInfo& info, std::string_view text, double lo, double hi) {
  double value = 0;
  if (!parseWhole(text, value) || !std::isfinite(value)) return bad(info, text, "a number");
  if (value < lo || value > hi) return bad(info, text, "allowed");
  return value;
}

Result<bool> parseFlag(const OptionInfo& info, std::string_view text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return bad(info, text, "true or false");
}

Error badChoice(const OptionInfo& info, std::string_view text) {
  return {ErrorCode::InvalidOption, "'" + std::string(text) + "' is not one of the choices; use one of " + info.range,
          "--" + info.name};
}

std::string printInteger(std::int64_t value) {
  return std::to_string(value);
}

std::string printReal(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return error == std::errc() ? std::string(buffer, end) : std::string("?");
}

} // namespace skincells::options

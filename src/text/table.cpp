#include "text/table.h"

#include <algorithm>
#include <charconv>

#include "text/printable.h"

namespace skincells::text {
namespace {

// Columns on a terminal: UTF-8 continuation bytes take none.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string number(double value, std::chars_format format, int digits) {
  char buffer[512];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, format, digits);
  return error == std::errc() ? std::string(buffer, end) : std::string("?");
}

} // namespace

std::string table(std::vector<std::vector<std::string>> rows) {
  for (auto& row : rows)
    for (std::string& cell : row) cell = printable(cell);
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c >= widths.size()) widths.push_back(0);
      widths[c] = std::max(widths[c], width(row[c]));
    }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - width(row[c]), ' ');
      line += (c == 0 ? "" : "  ") + (c == 0 ? row[c] + padding : padding + row[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string fixed(double value, int digits) {
  return number(value, std::chars_format::fixed, digits);
}
std::string significant(double value, int digits) {
  return number(value, std::chars_format::general, digits);
}

std::string grouped(unsigned long long value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string counted(unsigned long long count, const std::string& noun) {
  if (count == 1) return "1 " + noun;
  std::string plural = noun + "s";
  if (noun.ends_with("ex"))
    plural = noun.substr(0, noun.size() - 2) + "ices";
  else if (noun.ends_with("sh"))
    plural = noun + "es";
  return grouped(count) + " " + plural;
}

} // namespace skincells::text

#include "corpus/markdown_table.h"

#include <cctype>
#include <charconv>
#include <sstream>

#include "support/files.h"

namespace skincells::test {
namespace {

std::vector<std::string> cellsOf(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) {
    const auto first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

} // namespace

std::vector<TableRow> tableRows(const std::filesystem::path& page, const std::string& heading) {
  std::vector<TableRow> rows;
  std::vector<std::string> columns;
  bool here = heading.empty();
  std::istringstream in(readText(page));
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#") && !heading.empty())
      here = line.substr(line.find_first_not_of("# ")).starts_with(heading);
    if (!line.starts_with("|")) {
      columns.clear();
      continue;
    }
    if (!here || line.starts_with("|-")) continue;
    const std::vector<std::string> cells = cellsOf(line);
    if (columns.empty()) {
      columns = cells;
      continue;
    }
    TableRow row;
    for (std::size_t i = 0; i < std::min(cells.size(), columns.size()); ++i) row[columns[i]] = cells[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<double> numbersIn(const std::string& cell) {
  std::vector<double> out;
  for (std::size_t i = 0; i < cell.size();) {
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data() + i, cell.data() + cell.size(), value);
    if (error == std::errc() && std::isdigit(static_cast<unsigned char>(cell[i])) != 0) {
      out.push_back(value);
      i = static_cast<std::size_t>(end - cell.data());
    } else {
      ++i;
    }
  }
  return out;
}

} // namespace skincells::test

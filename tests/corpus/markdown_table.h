// Tables in Markdown pages, as rows of named cells.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace skincells::test {

using TableRow = std::map<std::string, std::string>; // column -> cell

// The rows of every table below a heading that starts with `heading` (empty: of the whole page).
std::vector<TableRow> tableRows(const std::filesystem::path& page, const std::string& heading = "");

// The numbers in a cell, in order; other text is skipped.
std::vector<double> numbersIn(const std::string& cell);

} // namespace skincells::test

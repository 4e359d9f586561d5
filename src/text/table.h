// Plain-text tables and numbers for terminals.
#pragma once

#include <string>
#include <vector>

namespace skincells::text {

// Columns padded to their widest cell, two spaces between them; the first column left-aligned, the others right. Cells
// are made printable.
std::string table(std::vector<std::vector<std::string>> rows);

// `digits` digits after the point, independent of the locale.
std::string fixed(double value, int digits);
// 12345678 -> "12,345,678"
std::string grouped(unsigned long long value);
// "1 joint", "3 joints"
std::string counted(unsigned long long count, const std::string& noun);
// `digits` significant digits, independent of the locale.
std::string significant(double value, int digits);

} // namespace skincells::text

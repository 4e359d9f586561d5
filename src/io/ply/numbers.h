// Single numbers of PLY files, in all their types, as text and as bytes of either order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "io/ply/header.h"

namespace skincells::io {

// A number of a binary file; `at` holds plySize(type) bytes.
double readPlyBinary(const std::uint8_t* at, PlyType type, PlyFormat format);
// A number of a text: independent of the locale; "nan" and "inf" count as numbers. Nothing when it is none, or too
// large for its type.
std::optional<double> readPlyText(std::string_view text, PlyType type);

// Appends the number as it stands in a file of the format: texts in the shortest form that reads back the same.
// Integers are rounded and kept in the range of their type.
void writePlyNumber(double value, PlyType type, PlyFormat format, std::vector<std::uint8_t>& out);

} // namespace skincells::io

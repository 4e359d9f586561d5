// Single numbers of PLY files, in text and in both byte orders.
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
// A number in text form, independent of the locale; "nan" and "inf" are numbers. Nothing if the text is not a number,
// or too large for the type.
std::optional<double> readPlyText(std::string_view text, PlyType type);

// Appends the number in the file's format; text in the shortest form that reads back the same. Integers are rounded and
// clamped to the range of their type.
void writePlyNumber(double value, PlyType type, PlyFormat format, std::vector<std::uint8_t>& out);

} // namespace skincells::io

// The header of a PLY file (Turk 1994): what the body holds, told before it starts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skincells/result.h"

namespace skincells::io {

enum class PlyType { I8, U8, I16, U16, I32, U32, F32, F64 };
std::size_t plySize(PlyType type);
std::string_view plyName(PlyType type); // "uchar", "float", ...
bool isPlyInteger(PlyType type);

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::F32;
  std::optional<PlyType> list_count = {}; // of lists: the type of their length
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;

  bool hasLists() const;
  std::size_t rowSize() const; // bytes of a binary row without lists
  int find(std::string_view property) const;
};

enum class PlyFormat { Ascii, LittleEndian, BigEndian };

// A line as it stands in the file, with its end.
struct PlyLine {
  std::string raw;
  std::string_view text() const; // without its end
};

struct PlyHeader {
  PlyFormat format = PlyFormat::Ascii;
  std::vector<PlyLine> lines; // "ply" .. "end_header"
  std::string line_end;       // as the first line has it
  std::vector<PlyElement> elements;
  std::size_t vertex_element = 0;   // the element named "vertex"
  std::size_t last_vertex_line = 0; // the line of its last property
  std::size_t body = 0;             // where the body starts, in bytes

  const PlyElement& vertices() const { return elements[vertex_element]; }
};

// Reads a header and checks that it describes vertices with scalar properties x, y and z, none of them named twice.
// Sizes are not compared with the body. `where` stands for the file in messages.
Result<PlyHeader> parsePlyHeader(std::span<const std::uint8_t> bytes, const std::string& where);

} // namespace skincells::io

// The header of a PLY file (Turk 1994), which describes the body.
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
  std::optional<PlyType> list_count = {}; // for lists: the type of the length
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;

  bool hasLists() const;
  std::size_t rowSize() const;               // bytes of a binary row without lists
  int find(std::string_view property) const; // index of the property, or -1
};

enum class PlyFormat { Ascii, LittleEndian, BigEndian };

// A line of the file, with its line end.
struct PlyLine {
  std::string raw;
  std::string_view text() const;    // without the line end
  std::string_view keyword() const; // its first word
};

struct PlyHeader {
  PlyFormat format = PlyFormat::Ascii;
  std::vector<PlyLine> lines; // "ply" .. "end_header"
  std::string line_end;       // of the first line
  std::vector<PlyElement> elements;
  std::size_t vertex_element = 0;   // the element named "vertex"
  std::size_t last_vertex_line = 0; // the line of its last property
  std::size_t body = 0;             // offset of the body in bytes

  const PlyElement& vertices() const { return elements[vertex_element]; }
};

// Reads a header and checks that vertices have scalar properties x, y and z, and no duplicate properties. Sizes are not
// compared with the body. `where` names the file in messages.
Result<PlyHeader> parsePlyHeader(std::span<const std::uint8_t> bytes, const std::string& where);

} // namespace skincells::io

#include "io/ply/header.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/try.h"

namespace skincells::io {
namespace {

constexpr std::size_t kMaxHeaderSize = std::size_t{1} << 22U; // bytes; enough for the names of 65535 joints
constexpr std::size_t kMaxProperties = 4096;
constexpr std::uint64_t kMaxVertices = std::uint64_t{1} << 31U;

struct TypeInfo {
  PlyType type;
  std::size_t size;
  std::string_view name, modern_name;
};
constexpr TypeInfo kTypes[] = {
    {PlyType::I8, 1, "char", "int8"},      {PlyType::U8, 1, "uchar", "uint8"},     {PlyType::I16, 2, "short", "int16"},
    {PlyType::U16, 2, "ushort", "uint16"}, {PlyType::I32, 4, "int", "int32"},      {PlyType::U32, 4, "uint", "uint32"},
    {PlyType::F32, 4, "float", "float32"}, {PlyType::F64, 8, "double", "float64"},
};

const TypeInfo& infoOf(PlyType type) {
  return kTypes[static_cast<std::size_t>(type)];
}

std::vector<std::string_view> wordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return words;
    const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
}

class HeaderParser {
public:
  HeaderParser(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  Result<PlyHeader> parse() {
    SKINCELLS_CHECK(readLines());
    for (line_ = 1; line_ + 1 < out_.lines.size(); ++line_) SKINCELLS_CHECK(readLine());
    if (!has_format_) return error("the header names no format; export the file again");
    SKINCELLS_CHECK(checkVertices());
    return std::move(out_);
  }

private:
  Error error(const std::string& message) const {
    return {ErrorCode::InvalidFile, message, where_ + (line_ > 0 ? ", line " + std::to_string(line_ + 1) : "")};
  }

  // Splits the header into lines. The line end of the first one holds for all, because a binary body may start with a
  // byte that looks like part of a line end.
  Result<void> readLines() {
    const auto known = [&](std::string_view end) { return text_.substr(3, end.size()) == end; };
    if (!text_.starts_with("ply") || !(known("\n") || known("\r")))
      return error("is not a PLY file (it does not start with the line 'ply')");
    out_.line_end = known("\r\n") ? "\r\n" : known("\n") ? "\n" : "\r";
    std::size_t begin = 0;
    while (true) {
      const std::size_t end = text_.substr(0, kMaxHeaderSize).find(out_.line_end, begin);
      if (end == std::string_view::npos)
        return error("the header does not end; the file is damaged or truncated (no line 'end_header')");
      const std::size_t next = end + out_.line_end.size();
      out_.lines.push_back({std::string(text_.substr(begin, next - begin))});
      begin = next;
      const auto words = wordsOf(out_.lines.back().text());
      if (words.size() == 1 && words[0] == "end_header") break;
    }
    out_.body = begin;
    return {};
  }

  Result<void> readLine() {
    const auto words = wordsOf(out_.lines[line_].text());
    if (words.empty() || words[0] == "comment" || words[0] == "obj_info") return {};
    if (words[0] == "format") return readFormat(words);
    if (words[0] == "element") return readElement(words);
    if (words[0] == "property") return readProperty(words);
    return error("the header has a line that starts with '" + std::string(words[0].substr(0, 40)) +
                 "', which is not a PLY keyword");
  }

  Result<void> readFormat(const std::vector<std::string_view>& words) {
    static constexpr std::pair<std::string_view, PlyFormat> kFormats[] = {
        {"ascii", PlyFormat::Ascii},
        {"binary_little_endian", PlyFormat::LittleEndian},
        {"binary_big_endian", PlyFormat::BigEndian}};
    for (const auto& [name, format] : kFormats)
      if (words.size() >= 2 && words[1] == name) {
        if (words.size() != 3 || words[2] != "1.0")
          return Error{ErrorCode::UnsupportedFeature, "only version 1.0 of PLY is supported", where_};
        out_.format = format;
        has_format_ = true;
        return {};
      }
    return error("the format must be ascii, binary_little_endian or binary_big_endian");
  }

  Result<void> readElement(const std::vector<std::string_view>& words) {
    PlyElement element;
    if (words.size() != 3) return error("'element' needs a name and a count");
    const auto [end, failed] = std::from_chars(words[2].data(), words[2].data() + words[2].size(), element.count);
    if (failed != std::errc() || end != words[2].data() + words[2].size())
      return error("the count of element '" + std::string(words[1]) + "' is not a whole number");
    element.name = words[1];
    for (const PlyElement& other : out_.elements)
      if (other.name == element.name) return error("element '" + element.name + "' is declared twice");
    out_.elements.push_back(std::move(element));
    return {};
  }

  Result<PlyType> typeOf(std::string_view name) const {
    for (const TypeInfo& info : kTypes)
      if (name == info.name || name == info.modern_name) return info.type;
    return error("'" + std::string(name.substr(0, 40)) +
                 "' is not a PLY type (char, uchar, short, ushort, int, uint, " + "float, double)");
  }

  Result<void> readProperty(const std::vector<std::string_view>& words) {
    if (out_.elements.empty()) return error("a property precedes the first element");
    const bool list = words.size() == 5 && words[1] == "list";
    if (!list && words.size() != 3) return error("a property is 'TYPE NAME' or 'list TYPE TYPE NAME'");
    PlyProperty property;
    property.name = words.back();
    SKINCELLS_TRY(type, typeOf(words[words.size() - 2]));
    property.type = type;
    if (list) {
      SKINCELLS_TRY(count, typeOf(words[2]));
      if (!isPlyInteger(count)) return error("the length of a list must be a whole number");
      property.list_count = count;
    }
    if (++property_count_ > kMaxProperties)
      return Error{ErrorCode::TooLarge, "declares more than " + std::to_string(kMaxProperties) + " properties", where_};
    out_.elements.back().properties.push_back(std::move(property));
    if (out_.elements.back().name == "vertex") out_.last_vertex_line = line_;
    return {};
  }

  Result<void> checkVertices() {
    line_ = 0; // the following errors concern the whole header
    const auto vertex = std::ranges::find(out_.elements, "vertex", &PlyElement::name);
    if (vertex == out_.elements.end()) return Error{ErrorCode::NoMesh, "has no element 'vertex'", where_};
    out_.vertex_element = static_cast<std::size_t>(vertex - out_.elements.begin());
    for (std::size_t i = 0; i < vertex->properties.size(); ++i)
      if (vertex->find(vertex->properties[i].name) != static_cast<int>(i))
        return error("vertices have two properties named '" + vertex->properties[i].name + "'");
    for (const char* name : {"x", "y", "z"}) {
      const int i = vertex->find(name);
      if (i < 0 || vertex->properties[i].list_count)
        return Error{ErrorCode::NoMesh,
                     std::string("vertices have no number '") + name + "'; positions are the properties x, y and z",
                     where_};
    }
    if (vertex->count > kMaxVertices)
      return Error{ErrorCode::TooLarge, "has too many vertices; 2^31 are possible", where_};
    return {};
  }

  std::string_view text_;
  const std::string& where_;
  PlyHeader out_;
  std::size_t line_ = 0, property_count_ = 0;
  bool has_format_ = false;
};

} // namespace

std::size_t plySize(PlyType type) {
  return infoOf(type).size;
}
std::string_view plyName(PlyType type) {
  return infoOf(type).name;
}
bool isPlyInteger(PlyType type) {
  return type != PlyType::F32 && type != PlyType::F64;
}

bool PlyElement::hasLists() const {
  return std::ranges::any_of(properties, [](const PlyProperty& p) { return p.list_count.has_value(); });
}

std::size_t PlyElement::rowSize() const {
  std::size_t size = 0;
  for (const PlyProperty& p : properties) size += plySize(p.type);
  return size;
}

int PlyElement::find(std::string_view property) const {
  const auto it = std::ranges::find(properties, property, &PlyProperty::name);
  return it == properties.end() ? -1 : static_cast<int>(it - properties.begin());
}

std::string_view PlyLine::text() const {
  return std::string_view(raw).substr(0, raw.find_last_not_of("\r\n") + 1);
}

std::string_view PlyLine::keyword() const {
  const auto words = wordsOf(text());
  return words.empty() ? std::string_view() : words[0];
}

Result<PlyHeader> parsePlyHeader(std::span<const std::uint8_t> bytes, const std::string& where) {
  return HeaderParser({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, where).parse();
}

} // namespace skincells::io

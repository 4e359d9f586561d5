#include "io/ply/ply_file.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/try.h"
#include "io/ply/numbers.h"

namespace skincells::io {
namespace {

bool isBlank(std::uint8_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

} // namespace

class PlyFile::Walker {
public:
  Walker(const PlyFile& file, std::size_t begin) : file_(file), at_(begin) {}

  std::size_t offset() const { return at_; }
  std::size_t left() const { return file_.bytes_.size() - at_; }

  // Reads one row and lists its fields. `begin` is the offset of its first field, after any blanks.
  Result<void> row(const PlyElement& element, std::uint64_t index, std::size_t& begin, std::vector<PlyField>& fields) {
    if (text()) skipBlanks();
    begin = at_;
    fields.clear();
    for (const PlyProperty& property : element.properties) {
      if (text()) skipBlanks();
      const std::size_t field_begin = at_;
      if (!(property.list_count ? list(property) : value(property.type))) return failure(element, property, index);
      fields.push_back({field_begin - begin, at_ - field_begin});
    }
    return {};
  }

  // Skips all rows, which must have equal size.
  Result<void> rows(const PlyElement& element) {
    const std::size_t size = element.rowSize();
    if (size > 0 && element.count > left() / size) return cutOff(element);
    at_ += size * static_cast<std::size_t>(element.count);
    return {};
  }

  // The numbers of a list that was already checked by row().
  std::vector<double> listNumbers(const PlyProperty& property, const PlyField& field, std::size_t row_begin) {
    at_ = row_begin + field.offset;
    std::vector<double> out;
    double count = 0;
    static_cast<void>(value(*property.list_count, &count));
    out.resize(static_cast<std::size_t>(count));
    for (double& v : out) {
      if (text()) skipBlanks();
      static_cast<void>(value(property.type, &v));
    }
    return out;
  }

  Error cutOff(const PlyElement& element) const {
    return {ErrorCode::InvalidFile,
            "the header declares " + std::to_string(element.count) + " of '" + element.name +
                "', but the file ends before; it is damaged or was truncated",
            file_.name_};
  }

private:
  bool text() const { return file_.header_.format == PlyFormat::Ascii; }

  void skipBlanks() {
    while (at_ < file_.bytes_.size() && isBlank(file_.bytes_[at_])) ++at_;
  }

  bool value(PlyType type, double* out = nullptr) {
    const std::uint8_t* bytes = file_.bytes_.data();
    if (!text()) {
      if (left() < plySize(type)) return false;
      if (out != nullptr) *out = readPlyBinary(bytes + at_, type, file_.header_.format);
      at_ += plySize(type);
      return true;
    }
    const std::size_t begin = at_;
    while (at_ < file_.bytes_.size() && !isBlank(bytes[at_])) ++at_;
    const auto number = readPlyText({reinterpret_cast<const char*>(bytes) + begin, at_ - begin}, type);
    if (!number) {
      at_ = begin; // distinguishes an invalid number from the end of the file
      return false;
    }
    if (out != nullptr) *out = *number;
    return true;
  }

  bool list(const PlyProperty& property) {
    double count = 0;
    if (!value(*property.list_count, &count) || count < 0) return false;
    // A list cannot be longer than the rest of the file.
    const std::size_t smallest = text() ? 2 : plySize(property.type);
    if (count > static_cast<double>(left() / smallest)) return false;
    if (!text()) {
      at_ += static_cast<std::size_t>(count) * smallest;
      return true;
    }
    for (double i = 0; i < count; ++i) {
      skipBlanks();
      if (!value(property.type)) return false;
    }
    return true;
  }

  Error failure(const PlyElement& element, const PlyProperty& property, std::uint64_t index) const {
    if (left() == 0) return cutOff(element);
    return {ErrorCode::InvalidFile,
            "'" + property.name + "' of " + element.name + " " + std::to_string(index) +
                (property.list_count ? " is a list of impossible length, or contains an invalid number"
                                     : " is not a number of the declared type"),
            file_.name_};
  }

  const PlyFile& file_;
  std::size_t at_;
};

Result<PlyFile> PlyFile::read(std::vector<std::uint8_t> bytes, const std::string& name) {
  PlyFile file;
  file.name_ = name;
  SKINCELLS_TRY(header, parsePlyHeader(bytes, name));
  file.header_ = std::move(header);
  file.bytes_ = std::move(bytes);
  SKINCELLS_CHECK(file.locateElements());
  if (file.vertexCount() == 0) return Error{ErrorCode::NoMesh, "has no vertices", name};
  SKINCELLS_CHECK(file.checkPositions());
  return file;
}

Result<void> PlyFile::locateElements() {
  Walker walker(*this, header_.body);
  const bool text = header_.format == PlyFormat::Ascii;
  std::vector<PlyField> fields;
  for (std::size_t e = 0; e < header_.elements.size(); ++e) {
    const PlyElement& element = header_.elements[e];
    element_begins_.push_back(walker.offset());
    if (e == header_.vertex_element) {
      SKINCELLS_CHECK(locateVertices(walker));
    } else if (!text && !element.hasLists()) {
      SKINCELLS_CHECK(walker.rows(element));
    } else if (!element.properties.empty()) {
      std::size_t begin = 0;
      for (std::uint64_t i = 0; i < element.count; ++i) SKINCELLS_CHECK(walker.row(element, i, begin, fields));
    }
  }
  return {};
}

Result<void> PlyFile::locateVertices(Walker& walker) {
  const PlyElement& element = vertices();
  first_row_ = walker.offset();
  if (header_.format != PlyFormat::Ascii && !element.hasLists()) {
    row_size_ = element.rowSize();
    for (const PlyProperty& p : element.properties)
      fixed_fields_.push_back(
          {fixed_fields_.empty() ? 0 : fixed_fields_.back().offset + fixed_fields_.back().length, plySize(p.type)});
    SKINCELLS_CHECK(walker.rows(element));
    after_ = walker.offset();
    return {};
  }
  // A row takes at least one byte per property. This bounds the memory for the lists by the size of the file.
  if (element.count > walker.left() / element.properties.size()) return walker.cutOff(element);
  begins_.resize(vertexCount());
  ends_.resize(vertexCount());
  std::vector<PlyField> fields;
  for (std::size_t v = 0; v < vertexCount(); ++v) {
    SKINCELLS_CHECK(walker.row(element, v, begins_[v], fields));
    ends_[v] = walker.offset();
  }
  after_ = walker.offset();
  return {};
}

Result<void> PlyFile::checkPositions() const {
  const int properties[3] = {find("x"), find("y"), find("z")};
  constexpr std::size_t kRows = 4096;
  std::vector<double> block(3 * kRows);
  for (std::size_t begin = 0; begin < vertexCount(); begin += kRows) {
    const std::size_t end = std::min(begin + kRows, vertexCount());
    numbers(begin, end, properties, std::span(block).first(3 * (end - begin)));
    for (std::size_t i = 0; i < 3 * (end - begin); ++i)
      if (!std::isfinite(static_cast<float>(block[i])))
        return Error{ErrorCode::InvalidFile,
                     "vertex " + std::to_string(begin + i / 3) +
                         " has a position that is not finite; remove such points and save the file again",
                     name_};
  }
  return {};
}

int PlyFile::find(std::string_view property) const {
  const int i = vertices().find(property);
  return i >= 0 && vertices().properties[i].list_count ? -1 : i;
}

std::span<const std::uint8_t> PlyFile::beforeVertices() const {
  return std::span(bytes_).subspan(header_.body, (vertexCount() > 0 ? rowBegin(0) : after_) - header_.body);
}

std::span<const std::uint8_t> PlyFile::row(std::size_t v) const {
  return std::span(bytes_).subspan(rowBegin(v), rowEnd(v) - rowBegin(v));
}

std::span<const std::uint8_t> PlyFile::gap(std::size_t v) const {
  const std::size_t next = v + 1 < vertexCount() ? rowBegin(v + 1) : after_;
  return std::span(bytes_).subspan(rowEnd(v), next - rowEnd(v));
}

std::span<const std::uint8_t> PlyFile::afterVertices() const {
  return std::span(bytes_).subspan(after_);
}

std::span<const PlyField> PlyFile::fields(std::size_t v, std::vector<PlyField>& scratch) const {
  if (begins_.empty()) return fixed_fields_;
  Walker walker(*this, rowBegin(v));
  std::size_t begin = 0;
  const auto passed = walker.row(vertices(), v, begin, scratch);
  SKINCELLS_ASSERT(passed.has_value()); // it was checked when the file was read
  return scratch;
}

double PlyFile::number(std::span<const std::uint8_t> row, const PlyField& field, PlyType type) const {
  const std::uint8_t* at = row.data() + field.offset;
  if (header_.format != PlyFormat::Ascii) return readPlyBinary(at, type, header_.format);
  return readPlyText({reinterpret_cast<const char*>(at), field.length}, type).value_or(0);
}

void PlyFile::numbers(std::size_t begin, std::size_t end, std::span<const int> properties,
                      std::span<double> out) const {
  SKINCELLS_ASSERT(out.size() == (end - begin) * properties.size());
  std::vector<PlyField> scratch;
  auto next = out.begin();
  for (std::size_t v = begin; v < end; ++v) {
    const auto where = fields(v, scratch);
    const auto bytes = row(v);
    for (const int p : properties) {
      const auto i = static_cast<std::size_t>(p);
      *next++ = number(bytes, where[i], vertices().properties[i].type);
    }
  }
}

Result<std::vector<Triangle>> PlyFile::triangles() const {
  std::vector<Triangle> out;
  const auto face = std::ranges::find(header_.elements, "face", &PlyElement::name);
  if (face == header_.elements.end()) return out;
  int corners = face->find("vertex_indices");
  if (corners < 0) corners = face->find("vertex_index");
  if (corners < 0 || !face->properties[corners].list_count) return out;
  const PlyProperty& property = face->properties[corners];
  Walker walker(*this, element_begins_[face - header_.elements.begin()]);
  std::vector<PlyField> fields;
  for (std::uint64_t f = 0; f < face->count; ++f) {
    std::size_t begin = 0;
    SKINCELLS_CHECK(walker.row(*face, f, begin, fields));
    const auto list = Walker(*this, begin).listNumbers(property, fields[corners], begin);
    for (const double v : list)
      if (!(v >= 0 && v < static_cast<double>(vertexCount())))
        return Error{ErrorCode::InvalidFile, "face " + std::to_string(f) + " has a corner that is not a vertex", name_};
    for (std::size_t i = 2; i < list.size(); ++i)
      out.push_back({static_cast<std::uint32_t>(list[0]), static_cast<std::uint32_t>(list[i - 1]),
                     static_cast<std::uint32_t>(list[i])});
  }
  return out;
}

} // namespace skincells::io

// A PLY file whose body is kept as it is: rows of vertices are located once and read on demand.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/ply/header.h"
#include "skincells/mesh.h"

namespace skincells::io {

// The bytes or characters of a property, relative to the start of its row.
struct PlyField {
  std::size_t offset = 0, length = 0;
};

class PlyFile {
public:
  // Checks that every element is complete and every vertex has finite coordinates. `name` is used for the file in
  // messages.
  static Result<PlyFile> read(std::vector<std::uint8_t> bytes, const std::string& name);

  const PlyHeader& header() const { return header_; }
  const PlyElement& vertices() const { return header_.vertices(); }
  std::size_t vertexCount() const { return static_cast<std::size_t>(vertices().count); }
  const std::string& name() const { return name_; }
  std::size_t byteSize() const { return bytes_.size(); }
  // Index of a scalar property of vertices, or -1.
  int find(std::string_view property) const;

  // Numbers of some scalar properties of the vertices [begin, end), vertex after vertex.
  void numbers(std::size_t begin, std::size_t end, std::span<const int> properties, std::span<double> out) const;

  // The faces as triangles; polygons become fans. Fails if a corner is not a vertex.
  Result<std::vector<Triangle>> triangles() const;

  // For the writer: the body is beforeVertices(), then row(v) and gap(v) for every vertex, then afterVertices().
  std::span<const std::uint8_t> beforeVertices() const;
  std::span<const std::uint8_t> row(std::size_t v) const;
  // Between a row and the next one: a line end in text files, empty in binary files.
  std::span<const std::uint8_t> gap(std::size_t v) const;
  std::span<const std::uint8_t> afterVertices() const;
  // The fields of a row, one per property. `scratch` is used if they differ from row to row.
  std::span<const PlyField> fields(std::size_t v, std::vector<PlyField>& scratch) const;

private:
  // A cursor in the body.
  class Walker;

  std::size_t rowBegin(std::size_t v) const { return begins_.empty() ? first_row_ + v * row_size_ : begins_[v]; }
  std::size_t rowEnd(std::size_t v) const { return begins_.empty() ? rowBegin(v) + row_size_ : ends_[v]; }
  double number(std::span<const std::uint8_t> row, const PlyField& field, PlyType type) const;
  Result<void> locateElements();
  Result<void> locateVertices(Walker& walker);
  Result<void> checkPositions() const;

  std::string name_;
  std::vector<std::uint8_t> bytes_;
  PlyHeader header_;
  // Vertex rows of a binary file without lists have equal size; otherwise begin and end of each row are listed.
  std::size_t first_row_ = 0, row_size_ = 0, after_ = 0;
  std::vector<std::size_t> begins_, ends_;
  std::vector<PlyField> fixed_fields_;
  std::vector<std::size_t> element_begins_;
};

} // namespace skincells::io

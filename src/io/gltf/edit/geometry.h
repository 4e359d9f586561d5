// A document whose geometry is replaced piece by piece.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "io/gltf/accessor.h"
#include "io/gltf/edit/edited_document.h"
#include "io/gltf/read/character.h"

namespace skincells::io {

// The numbers of one accessor as stored, each in a 32-bit word.
struct Numbers {
  Component component = Component::F32;
  bool normalized = false;
  int columns = 1;
  std::vector<std::uint32_t> words;

  std::size_t count() const { return words.size() / static_cast<std::size_t>(columns); }
  double value(std::size_t i) const; // of word i; normalized integers are not scaled
};
Numbers numbersFrom(std::span<const float> values, int columns);
Numbers gathered(const Numbers& from, std::span<const std::uint32_t> elements);

class GeometryEditor {
public:
  GeometryEditor(const GltfDocument& document, const GltfCharacter& character);

  Json& json() { return out_.json; }
  // The i-th primitive of a stream: in the source document, and in mesh `mesh` of the edited one.
  const GltfPrimitive& primitiveOf(const VertexStream& stream, std::size_t i) const;
  Json& primitiveJson(const VertexStream& stream, std::size_t i, int mesh);
  std::string whereIs(const VertexStream& stream, std::size_t i) const;

  // All attributes of a primitive, except for skinning attributes that are Draco-compressed.
  Result<std::map<std::string, Numbers>> attributes(const VertexStream& stream, std::size_t i);
  // One attribute of a primitive or of its morph targets: a number or vector for each vertex of the stream.
  Result<Numbers> vertexData(const VertexStream& stream, std::size_t i, const std::string& name, int accessor);

  // Adds an accessor and returns its index. target: kArrayBuffer or kElementArrayBuffer.
  int add(const Numbers& numbers, int target, bool with_bounds);
  int addIndices(const std::vector<std::uint32_t>& corners, std::size_t vertex_count);
  static void dropDraco(Json& primitive);

  // The document in one buffer, without data that is no longer used.
  EditedDocument finish() &&;

private:
  void dropAbandonedAccessors();

  const GltfDocument& doc_;
  const GltfCharacter& c_;
  EditedDocument out_;
  AccessorReader reader_;
  std::vector<bool> used_before_;
};

} // namespace skincells::io

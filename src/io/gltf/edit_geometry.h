// A document whose geometry is replaced piece by piece.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "io/gltf/accessor.h"
#include "io/gltf/edit_weights.h"

namespace skincells::io {

inline constexpr int kArrayBuffer = 34962, kElementBuffer = 34963;

// JOINTS_n or WEIGHTS_n.
bool isSkinningAttribute(const std::string& name);

// The numbers of one accessor as they are stored, each in a word.
struct Numbers {
  Component component = Component::F32;
  bool normalized = false;
  int columns = 1;
  std::vector<std::uint32_t> words;

  std::size_t count() const { return words.size() / static_cast<std::size_t>(columns); }
  double value(std::size_t i) const; // of a word; normalized ones are not scaled
};
Numbers numbersFrom(std::span<const float> values, int columns);
Numbers gathered(const Numbers& from, std::span<const std::uint32_t> elements);

class GeometryEditor {
public:
  GeometryEditor(const GltfDocument& document, const GltfCharacter& character);

  Json& json() { return out_.json; }
  // The i-th primitive of a stream, as it was, and as it will be in mesh `mesh`.
  const GltfPrimitive& primitiveOf(const VertexStream& stream, std::size_t i) const;
  Json& primitiveJson(const VertexStream& stream, std::size_t i, int mesh);
  std::string whereIs(const VertexStream& stream, std::size_t i) const;

  // All attributes of a primitive; those of skinning only where they are not draco-compressed.
  Result<std::map<std::string, Numbers>> attributes(const VertexStream& stream, std::size_t i);
  // One attribute of a primitive, or of its morph targets: a number or vector for each vertex of the stream.
  Result<Numbers> vertexData(const VertexStream& stream, std::size_t i, const std::string& name, int accessor);

  // A new accessor; target: kArrayBuffer or kElementBuffer.
  int add(const Numbers& numbers, int target, bool with_bounds);
  int addIndices(const std::vector<std::uint32_t>& corners, std::size_t vertex_count);
  static void dropDraco(Json& primitive);

  // The document without the data that nothing uses any more, in one buffer.
  EditedDocument finish() &&;

private:
  void dropAbandonedAccessors();
  std::set<int> accessorsInUse() const;

  const GltfDocument& doc_;
  const GltfCharacter& c_;
  EditedDocument out_;
  AccessorReader reader_;
  std::vector<bool> used_before_;
};

} // namespace skincells::io

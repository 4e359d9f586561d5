#include "io/gltf/edit/geometry.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/try.h"
#include "io/gltf/constants.h"
#include "io/gltf/draco.h"
#include "io/gltf/edit/unused.h"
#include "io/gltf/views.h"

namespace skincells::io {
namespace {

constexpr int kMaxVectorSize = 4;

void addBounds(const Numbers& numbers, Json& accessor) {
  for (const char* key : {"min", "max"}) accessor[key] = Json::array();
  const std::size_t columns = numbers.columns;
  for (std::size_t k = 0; k < columns; ++k) {
    double lo = INFINITY, hi = -INFINITY;
    for (std::size_t i = k; i < numbers.words.size(); i += columns) {
      lo = std::min(lo, numbers.value(i));
      hi = std::max(hi, numbers.value(i));
    }
    accessor["min"].push_back(lo);
    accessor["max"].push_back(hi);
  }
}

} // namespace

double Numbers::value(std::size_t i) const {
  switch (component) {
  case Component::I8:
    return static_cast<std::int8_t>(words[i]);
  case Component::I16:
    return static_cast<std::int16_t>(words[i]);
  case Component::F32:
    return static_cast<double>(std::bit_cast<float>(words[i]));
  case Component::U8:
  case Component::U16:
  case Component::U32:
    break;
  }
  return words[i];
}

Numbers numbersFrom(std::span<const float> values, int columns) {
  Numbers out;
  out.columns = columns;
  for (const float f : values) out.words.push_back(std::bit_cast<std::uint32_t>(f));
  return out;
}

Numbers gathered(const Numbers& from, std::span<const std::uint32_t> elements) {
  Numbers out{from.component, from.normalized, from.columns, {}};
  const std::size_t n = from.columns;
  out.words.reserve(elements.size() * n);
  for (const std::uint32_t e : elements) {
    const auto begin = from.words.begin() + static_cast<std::ptrdiff_t>(e * n);
    out.words.insert(out.words.end(), begin, begin + static_cast<std::ptrdiff_t>(n));
  }
  return out;
}

GeometryEditor::GeometryEditor(const GltfDocument& document, const GltfCharacter& character)
    : doc_(document), c_(character), out_{document.json, document.model.buffers},
      reader_(document.model, document.path), used_before_(viewsInUse(document.json)) {
  GltfBuffer fresh;
  fresh.kind = GltfBuffer::Kind::Binary;
  out_.buffers.push_back(std::move(fresh));
  out_.json["buffers"].push_back(Json::object());
  // A key that is added later would move the others, and with them what callers refer to.
  for (const char* list : {"bufferViews", "accessors"})
    if (!out_.json.contains(list)) out_.json[list] = Json::array();
}

const GltfPrimitive& GeometryEditor::primitiveOf(const VertexStream& s, std::size_t i) const {
  return doc_.model.meshes[c_.instances[s.instance].mesh].primitives[s.primitives[i]];
}

Json& GeometryEditor::primitiveJson(const VertexStream& s, std::size_t i, int mesh) {
  return out_.json["meshes"][mesh]["primitives"][s.primitives[i]];
}

std::string GeometryEditor::whereIs(const VertexStream& s, std::size_t i) const {
  return doc_.path + "#" + primitivePointer(c_.instances[s.instance].mesh, s.primitives[i]);
}

Result<std::map<std::string, Numbers>> GeometryEditor::attributes(const VertexStream& s, std::size_t i) {
  const GltfPrimitive& p = primitiveOf(s, i);
  std::map<std::string, Numbers> out;
  if (p.draco_view >= 0) {
    SKINCELLS_TRY(geometry, decodeDraco(doc_.model, p, whereIs(s, i), DracoAttributes::All));
    for (const auto& [name, values] : geometry.attributes)
      if (!isSkinningAttribute(name)) out[name] = numbersFrom(values, geometry.columns[name]);
  }
  for (const auto& [name, accessor] : p.attributes) {
    const bool compressed =
        std::ranges::any_of(p.draco_attributes, [&n = name](const auto& attribute) { return attribute.first == n; });
    if (compressed) continue;
    SKINCELLS_TRY(numbers, vertexData(s, i, name, accessor));
    out[name] = std::move(numbers);
  }
  return out;
}

Result<Numbers> GeometryEditor::vertexData(const VertexStream& s, std::size_t i, const std::string& name,
                                           int accessor) {
  const GltfAccessor& a = doc_.model.accessors[accessor];
  if (a.columns > kMaxVectorSize)
    return Error{ErrorCode::UnsupportedFeature, "'" + name + "' holds matrices; remove it or convert it to vectors",
                 whereIs(s, i)};
  SKINCELLS_TRY(words, reader_.words(accessor));
  Numbers numbers{a.component, a.normalized, a.columns, std::move(words)};
  if (numbers.count() != s.vertex_count)
    return Error{ErrorCode::InvalidFile, "'" + name + "' has a different element count than POSITION", whereIs(s, i)};
  return numbers;
}

int GeometryEditor::add(const Numbers& numbers, int target, bool with_bounds) {
  static constexpr const char* kTypes[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
  auto& bytes = out_.buffers.back().bytes;
  bytes.resize(alignTo4(bytes.size()));
  const std::size_t begin = bytes.size(), size = componentSize(numbers.component), n = numbers.columns;
  // Elements of vertex data start at multiples of four bytes.
  const std::size_t stride = target == kArrayBuffer ? alignTo4(size * n) : size * n;
  bytes.resize(begin + stride * numbers.count());
  for (std::size_t i = 0; i < numbers.words.size(); ++i)
    std::memcpy(bytes.data() + begin + i / n * stride + i % n * size, &numbers.words[i], size);
  Json view{{"buffer", out_.buffers.size() - 1}, {"byteOffset", begin}, {"byteLength", bytes.size() - begin}};
  if (stride != size * n) view["byteStride"] = stride;
  view["target"] = target;
  Json accessor{{"bufferView", out_.json["bufferViews"].size()},
                {"componentType", static_cast<int>(numbers.component)},
                {"count", numbers.count()},
                {"type", kTypes[n]}};
  if (numbers.normalized) accessor["normalized"] = true;
  if (with_bounds) addBounds(numbers, accessor);
  out_.json["bufferViews"].push_back(std::move(view));
  out_.json["accessors"].push_back(std::move(accessor));
  return static_cast<int>(out_.json["accessors"].size()) - 1;
}

int GeometryEditor::addIndices(const std::vector<std::uint32_t>& corners, std::size_t vertex_count) {
  const Component component = vertex_count < 65536 ? Component::U16 : Component::U32;
  return add({component, false, 1, corners}, kElementArrayBuffer, false);
}

void GeometryEditor::dropDraco(Json& primitive) {
  if (!primitive.contains("extensions")) return;
  primitive["extensions"].erase(kDracoExtension);
  if (primitive["extensions"].empty()) primitive.erase("extensions");
}

// Removes the data of accessors that only geometry used and that are no longer used. The accessors remain, because
// removing them would change the indices of others.
void GeometryEditor::dropAbandonedAccessors() {
  const std::set<int> in_use = accessorsInUse(out_.json);
  for (const int accessor : accessorsOfMeshes(doc_.json))
    if (!in_use.contains(accessor))
      out_.json["accessors"][accessor] = {
          {"componentType", static_cast<int>(Component::U8)}, {"count", 1}, {"type", "SCALAR"}};
}

EditedDocument GeometryEditor::finish() && {
  dropAbandonedAccessors();
  dropAbandonedViews(out_, used_before_);
  out_.skin_buffer = 0;
  return std::move(out_);
}

} // namespace skincells::io

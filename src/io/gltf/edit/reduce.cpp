#include "io/gltf/edit/reduce.h"

#include <algorithm>
#include <map>

#include "base/try.h"
#include "io/gltf/constants.h"
#include "io/gltf/edit/geometry.h"

namespace skincells::io {
namespace {

// The primitive of each triangle of a stream.
std::vector<std::uint32_t> primitiveOfTriangle(const VertexStream& s) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < s.triangle_counts.size(); ++i)
    out.insert(out.end(), s.triangle_counts[i], static_cast<std::uint32_t>(i));
  return out;
}

// The remaining part of a stream.
struct Remainder {
  std::vector<std::uint32_t> vertices;             // indices in the stream, ascending
  std::vector<std::vector<std::uint32_t>> corners; // by primitive of the stream; indices into `vertices`
};

Remainder remainderOf(const VertexStream& s, const Mesh& mesh, const MeshSection& section,
                      std::span<const Triangle> triangles, std::span<const std::uint32_t> source, bool keep_all) {
  Remainder out;
  out.corners.resize(s.primitives.size());
  std::vector<bool> used(s.vertex_count, keep_all);
  const auto primitive_of = primitiveOfTriangle(s);
  const auto add = [&](const Triangle& t, std::uint32_t source_triangle) {
    auto& corners = out.corners[primitive_of[source_triangle - section.first_triangle]];
    for (const std::uint32_t v : t) {
      used[v - s.first_vertex] = true;
      corners.push_back(v - s.first_vertex);
    }
  };
  bool any = false;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    if (source[i] - section.first_triangle >= section.triangle_count) continue; // belongs to another section
    add(triangles[i], source[i]);
    any = true;
  }
  // A mesh needs a triangle to be valid.
  if (!any && section.triangle_count > 0) add(mesh.triangles[section.first_triangle], section.first_triangle);
  std::vector<std::uint32_t> fresh(s.vertex_count, 0);
  for (std::uint32_t v = 0; v < s.vertex_count; ++v) {
    if (!used[v]) continue;
    fresh[v] = static_cast<std::uint32_t>(out.vertices.size());
    out.vertices.push_back(v);
  }
  for (auto& corners : out.corners)
    for (std::uint32_t& v : corners) v = fresh[v];
  return out;
}

Result<void> reduceTargets(GeometryEditor& editor, const VertexStream& s, std::size_t i,
                           std::span<const std::uint32_t> vertices, Json& primitive) {
  if (!primitive.contains("targets")) return {};
  for (Json& target : primitive["targets"])
    for (auto item = target.begin(); item != target.end(); ++item) {
      SKINCELLS_TRY(numbers, editor.vertexData(s, i, item.key(), item.value().get<int>()));
      item.value() = editor.add(gathered(numbers, vertices), kArrayBuffer, item.key() == "POSITION");
    }
  return {};
}

Result<void> reduceStream(GeometryEditor& editor, const GltfCharacter& c, const VertexStream& s,
                          const Remainder& left) {
  std::map<int, int> moved; // old accessor -> new accessor, for primitives that share vertices
  for (std::size_t i = 0; i < s.primitives.size(); ++i) {
    const GltfPrimitive& p = editor.primitiveOf(s, i);
    SKINCELLS_TRY(attributes, editor.attributes(s, i));
    Json& primitive = editor.primitiveJson(s, i, c.instances[s.instance].mesh);
    Json& json = primitive["attributes"];
    for (const auto& [name, accessor] : p.attributes) {
      const auto numbers = attributes.find(name);
      if (numbers == attributes.end()) {
        json.erase(name);
        continue;
      }
      const auto [entry, fresh] = moved.try_emplace(accessor, -1);
      if (fresh || p.draco_view >= 0)
        entry->second = editor.add(gathered(numbers->second, left.vertices), kArrayBuffer, name == "POSITION");
      json[name] = entry->second;
    }
    SKINCELLS_CHECK(reduceTargets(editor, s, i, left.vertices, primitive));
    GeometryEditor::dropDraco(primitive);
    if (p.mode < 4) continue; // points and lines are not changed
    primitive["indices"] = editor.addIndices(left.corners[i], left.vertices.size());
    primitive.erase("mode");
  }
  return {};
}

// Removes primitives without triangles, but leaves at least one: a mesh without primitives is not valid.
void dropEmptyPrimitives(Json& json) {
  for (Json& mesh : json["meshes"]) {
    Json kept = Json::array();
    for (Json& p : mesh["primitives"]) {
      const bool empty = p.contains("indices") && json["accessors"][p["indices"].get<std::size_t>()]["count"] == 0;
      if (!empty) kept.push_back(p);
    }
    if (!kept.empty()) mesh["primitives"] = std::move(kept);
  }
}

} // namespace

Result<EditedDocument> rebuildReduced(const GltfDocument& doc, const GltfCharacter& c,
                                      std::span<const Triangle> triangles, std::span<const std::uint32_t> source) {
  GeometryEditor editor(doc, c);
  for (std::size_t i = 0; i < c.streams.size(); ++i) {
    const VertexStream& s = c.streams[i];
    if (c.instances[s.instance].needs_copy) continue; // the first instance of the mesh decides
    bool keep_all = c.character.mesh.sections[i].triangle_count == 0;
    for (std::size_t p = 0; p < s.primitives.size(); ++p) keep_all = keep_all || editor.primitiveOf(s, p).mode < 4;
    SKINCELLS_CHECK(reduceStream(
        editor, c, s, remainderOf(s, c.character.mesh, c.character.mesh.sections[i], triangles, source, keep_all)));
  }
  dropEmptyPrimitives(editor.json());
  return std::move(editor).finish();
}

} // namespace skincells::io

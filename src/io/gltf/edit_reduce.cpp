#include "io/gltf/edit_reduce.h"

#include <algorithm>
#include <map>

#include "base/try.h"
#include "io/gltf/edit_geometry.h"

namespace skincells::io {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// Which primitive of its stream a triangle of the stream belongs to.
std::vector<std::uint32_t> primitiveOfTriangle(const VertexStream& s) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < s.triangle_counts.size(); ++i)
    out.insert(out.end(), s.triangle_counts[i], static_cast<std::uint32_t>(i));
  return out;
}

// What is left of a stream.
struct Remainder {
  std::vector<std::uint32_t> vertices;             // of the stream, ascending
  std::vector<std::vector<std::uint32_t>> corners; // by primitive of the stream, over `vertices`
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
    if (source[i] - section.first_triangle >= section.triangle_count) continue; // of another section
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
  std::map<int, int> moved; // old accessor -> new one, for primitives that share their vertices
  for (std::size_t i = 0; i < s.primitives.size(); ++i) {
    const GltfPrimitive& p = editor.primitiveOf(s, i);
    SKINCELLS_TRY(attributes, editor.attributes(s, i));
    Json& primitive = editor.primitiveJson(s, i, c.instances[at(s.instance)].mesh);
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
    if (p.mode < 4) continue; // points and lines stay as they are
    primitive["indices"] = editor.addIndices(left.corners[i], left.vertices.size());
    primitive.erase("mode");
  }
  return {};
}

// A mesh without triangles is not valid; primitives that lost all of theirs go, unless none would be left.
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
    if (c.instances[at(s.instance)].needs_copy) continue; // the first one that shows the mesh decides
    bool keep_all = c.character.mesh.sections[i].triangle_count == 0;
    for (std::size_t p = 0; p < s.primitives.size(); ++p) keep_all = keep_all || editor.primitiveOf(s, p).mode < 4;
    SKINCELLS_CHECK(reduceStream(
        editor, c, s, remainderOf(s, c.character.mesh, c.character.mesh.sections[i], triangles, source, keep_all)));
  }
  dropEmptyPrimitives(editor.json());
  return std::move(editor).finish();
}

} // namespace skincells::io

#include "io/gltf/edit/static.h"

#include "base/try.h"
#include "io/gltf/constants.h"
#include "io/gltf/edit/geometry.h"

namespace skincells::io {
namespace {

// Directions after the map. Quantized ones need not have unit length.
Numbers mapped(const Numbers& numbers, const std::function<Vec3d(std::size_t, const Vec3d&)>& map) {
  std::vector<float> out;
  const std::size_t n = numbers.columns;
  for (std::size_t v = 0; v < numbers.count(); ++v) {
    const Vec3f p = toFloat(map(v, {numbers.value(n * v), numbers.value(n * v + 1), numbers.value(n * v + 2)}));
    out.insert(out.end(), {p.x, p.y, p.z});
    if (n == 4) out.push_back(static_cast<float>(numbers.value(n * v + 3) < 0 ? -1 : 1)); // handedness of the tangent
  }
  return numbersFrom(out, numbers.columns);
}

Vec3d turnedNormal(const Affine& a, const Vec3d& n) {
  const Vec3d x = a.column(0), y = a.column(1), z = a.column(2);
  return normalized(cross(y, z) * n.x + cross(z, x) * n.y + cross(x, y) * n.z);
}

class StaticWriter {
public:
  StaticWriter(const GltfDocument& doc, const GltfCharacter& c, const std::function<Affine(std::size_t)>& map)
      : doc_(doc), c_(c), map_(map), editor_(doc, c) {}

  Result<EditedDocument> write(double scale) {
    Json& json = editor_.json();
    std::vector<int> mesh_of(c_.instances.size());
    for (std::size_t i = 0; i < c_.instances.size(); ++i) {
      mesh_of[i] = c_.instances[i].mesh;
      if (!c_.instances[i].needs_copy) continue;
      mesh_of[i] = static_cast<int>(json["meshes"].size());
      json["meshes"].push_back(Json(json["meshes"][c_.instances[i].mesh]));
    }
    for (const VertexStream& s : c_.streams) SKINCELLS_CHECK(poseStream(s, mesh_of[s.instance]));
    for (std::size_t i = 0; i < c_.instances.size(); ++i) placeInstance(i, mesh_of[i], scale);
    json.erase("animations");
    json.erase("skins");
    for (Json& node : json["nodes"]) node.erase("skin");
    return std::move(editor_).finish();
  }

private:
  Result<void> poseStream(const VertexStream& s, int mesh) {
    const Affine& bind_from_mesh = c_.bindings[c_.instances[s.instance].binding].bind_from_mesh;
    const auto place = [&](std::size_t v) { return map_(s.first_vertex + v) * bind_from_mesh; };
    std::uint32_t next = section(s).first_triangle;
    for (std::size_t i = 0; i < s.primitives.size(); ++i) {
      const GltfPrimitive& p = editor_.primitiveOf(s, i);
      SKINCELLS_TRY(attributes, editor_.attributes(s, i));
      Json& primitive = editor_.primitiveJson(s, i, mesh);
      Json& json = primitive["attributes"];
      for (auto& [name, numbers] : attributes) {
        if (isSkinningAttribute(name)) continue;
        const int columns = name == "NORMAL" ? 3 : name == "TANGENT" ? 4 : numbers.columns;
        if (numbers.columns != columns)
          return Error{ErrorCode::InvalidFile,
                       "'" + name + "' must hold " + std::to_string(columns) + " numbers per vertex",
                       editor_.whereIs(s, i)};
        if (name == "POSITION")
          numbers = positions(s, numbers);
        else if (name == "NORMAL")
          numbers = mapped(numbers, [&](std::size_t v, const Vec3d& n) { return turnedNormal(place(v), n); });
        else if (name == "TANGENT")
          numbers = mapped(numbers, [&](std::size_t v, const Vec3d& t) { return normalized(place(v).applyLinear(t)); });
        else if (p.draco_view < 0)
          continue;
        json[name] = editor_.add(numbers, kArrayBuffer, name == "POSITION");
      }
      for (const auto& [name, accessor] : p.attributes)
        if (isSkinningAttribute(name)) json.erase(name);
      primitive.erase("targets");
      GeometryEditor::dropDraco(primitive);
      if (p.draco_view >= 0) {
        std::vector<std::uint32_t> corners;
        for (std::uint32_t t = next; t < next + s.triangle_counts[i]; ++t)
          for (const std::uint32_t v : c_.character.mesh.triangles[t]) corners.push_back(v - s.first_vertex);
        primitive["indices"] = editor_.addIndices(corners, s.vertex_count);
        primitive.erase("mode");
      }
      next += s.triangle_counts[i];
    }
    editor_.json()["meshes"][mesh].erase("weights");
    return {};
  }

  const MeshSection& section(const VertexStream& s) const { return c_.character.mesh.sections[&s - c_.streams.data()]; }

  // From the character, whose positions are already in bind space.
  Numbers positions(const VertexStream& s, const Numbers& like) const {
    std::vector<float> out;
    for (std::size_t v = 0; v < like.count(); ++v) {
      const std::size_t vertex = s.first_vertex + v;
      const Vec3f p = toFloat(map_(vertex).apply(toDouble(c_.character.mesh.positions[vertex])));
      out.insert(out.end(), {p.x, p.y, p.z});
    }
    return numbersFrom(out, 3);
  }

  // Gives the posed mesh a new node, because the transforms of its old nodes would apply to a static mesh.
  void placeInstance(std::size_t i, int mesh, double scale) {
    Json& json = editor_.json();
    std::string name;
    for (const int node : c_.instances[i].nodes) {
      name = doc_.model.nodes[node].name;
      json["nodes"][node].erase("mesh");
      json["nodes"][node].erase("weights");
    }
    Json fresh{{"name", (name.empty() ? "mesh_" + std::to_string(mesh) : name) + "_posed"}, {"mesh", mesh}};
    if (scale != 1) fresh["scale"] = {scale, scale, scale};
    const int index = static_cast<int>(json["nodes"].size());
    json["nodes"].push_back(std::move(fresh));
    addToScene(json, {&index, 1});
  }

  const GltfDocument& doc_;
  const GltfCharacter& c_;
  const std::function<Affine(std::size_t)>& map_;
  GeometryEditor editor_;
};

} // namespace

Result<EditedDocument> rebuildStatic(const GltfDocument& doc, const GltfCharacter& c,
                                     const std::function<Affine(std::size_t)>& map, double scale) {
  return StaticWriter(doc, c, map).write(scale);
}

} // namespace skincells::io

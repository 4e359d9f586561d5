#include "io/gltf/read/geometry.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/try.h"
#include "io/gltf/accessor.h"
#include "io/gltf/draco.h"
#include "io/gltf/read/base_colors.h"
#include "text/json_access.h"

namespace skincells::io {
namespace {

// Turns the corner list of a primitive into triangles.
Result<std::vector<Triangle>> assembleTriangles(const std::vector<std::uint32_t>& corners, int mode,
                                                std::size_t vertex_count, const std::string& where) {
  for (std::size_t i = 0; i < corners.size(); ++i)
    if (corners[i] >= vertex_count)
      return Error{ErrorCode::InvalidFile,
                   "index " + std::to_string(i) + " refers to vertex " + std::to_string(corners[i]) +
                       ", but there are only " + std::to_string(vertex_count),
                   where};
  std::vector<Triangle> out;
  const std::size_t n = corners.size();
  if (mode == 4)
    for (std::size_t i = 0; i + 2 < n; i += 3) out.push_back({corners[i], corners[i + 1], corners[i + 2]});
  if (mode == 5)
    for (std::size_t i = 0; i + 2 < n; ++i)
      out.push_back(i % 2 == 0 ? Triangle{corners[i], corners[i + 1], corners[i + 2]}
                               : Triangle{corners[i + 1], corners[i], corners[i + 2]});
  if (mode == 6)
    for (std::size_t i = 1; i + 1 < n; ++i) out.push_back({corners[0], corners[i], corners[i + 1]});
  return out;
}

class GeometryReader {
public:
  GeometryReader(const GltfDocument& doc, GltfCharacter& out) : doc_(doc), accessors_(doc.model, doc.path), out_(out) {}

  Result<void> readInstance(int instance) {
    const MeshInstance& i = out_.instances[instance];
    const GltfMesh& mesh = doc_.model.meshes[i.mesh];
    std::map<std::tuple<int, int, int>, int> stream_of_data; // POSITION, JOINTS_0, WEIGHTS_0 -> stream
    for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
      const GltfPrimitive& primitive = mesh.primitives[p];
      const std::string where = doc_.path + "#" + primitivePointer(i.mesh, static_cast<int>(p));
      if (primitive.attribute("POSITION") < 0) return Error{ErrorCode::InvalidFile, "has no POSITION attribute", where};
      if (primitive.draco_view >= 0) {
        SKINCELLS_CHECK(readDraco(instance, static_cast<int>(p), where));
        continue;
      }
      const auto key = std::make_tuple(primitive.attribute("POSITION"), primitive.attribute("JOINTS_0"),
                                       primitive.attribute("WEIGHTS_0"));
      const auto [entry, fresh] = stream_of_data.try_emplace(key, static_cast<int>(out_.streams.size()));
      if (fresh) SKINCELLS_CHECK(readPositions(instance, static_cast<int>(p), primitive.attribute("POSITION"), where));
      out_.streams[entry->second].primitives.push_back(static_cast<int>(p));
      SKINCELLS_CHECK(readTriangles(primitive, out_.streams[entry->second], where));
    }
    return {};
  }

private:
  Result<void> addStream(int instance, int primitive, const std::vector<float>& numbers, const std::string& where) {
    Mesh& mesh = out_.character.mesh;
    const MeshInstance& i = out_.instances[instance];
    const std::size_t count = numbers.size() / 3;
    if (mesh.positions.size() + count > (std::size_t{1} << 31U))
      return Error{ErrorCode::TooLarge, "has too many vertices; 2^31 are possible", where};
    VertexStream stream;
    stream.instance = instance;
    stream.first_vertex = mesh.vertexCount();
    stream.vertex_count = static_cast<std::uint32_t>(count);
    const Affine& bind_from_mesh = out_.bindings[i.binding].bind_from_mesh;
    const bool same_space = bind_from_mesh == Affine{};
    for (std::size_t v = 0; v < count; ++v) {
      Vec3f p{numbers[3 * v], numbers[3 * v + 1], numbers[3 * v + 2]};
      if (!same_space) p = toFloat(bind_from_mesh.apply(toDouble(p)));
      if (!isFinite(p))
        return Error{ErrorCode::InvalidFile,
                     "vertex " + std::to_string(v) +
                         " has a position that is not finite; repair and export the mesh again",
                     where + "/attributes/POSITION"};
      mesh.positions.push_back(p);
    }
    const GltfMesh& source = doc_.model.meshes[i.mesh];
    MeshSection section;
    section.name = source.name.empty() ? "mesh_" + std::to_string(i.mesh) : source.name;
    section.where = primitivePointer(i.mesh, primitive);
    section.first_vertex = stream.first_vertex;
    section.vertex_count = stream.vertex_count;
    section.material = materialName(source.primitives[primitive].material);
    section.color = baseColorOf(doc_.json, source.primitives[primitive].material);
    const SkinBinding& binding = out_.bindings[i.binding];
    if (binding.skin >= 0 && !binding.joint_of_slot.empty())
      section.skeleton = out_.character.skeleton.joints[binding.joint_of_slot.front()].skeleton;
    mesh.sections.push_back(std::move(section));
    out_.streams.push_back(std::move(stream));
    return {};
  }

  std::string materialName(int material) const {
    const text::JsonPlace materials = text::JsonPlace(doc_.json, "").at("materials");
    const auto index = static_cast<std::size_t>(material);
    return material < 0 || index >= materials.size() ? std::string() : materials.at(index).text("name");
  }

  Result<void> readPositions(int instance, int primitive, int accessor, const std::string& where) {
    SKINCELLS_TRY(numbers, accessors_.floats(accessor, 3));
    return addStream(instance, primitive, numbers, where);
  }

  void addTriangles(VertexStream& stream, const std::vector<Triangle>& triangles) {
    stream.triangle_counts.push_back(static_cast<std::uint32_t>(triangles.size()));
    // If primitives share vertices, the triangles of a stream are not contiguous yet; readGeometry sorts them at the
    // end.
    for (const Triangle& t : triangles) {
      out_.character.mesh.triangles.push_back(
          {t[0] + stream.first_vertex, t[1] + stream.first_vertex, t[2] + stream.first_vertex});
    }
  }

  Result<void> readTriangles(const GltfPrimitive& primitive, VertexStream& stream, const std::string& where) {
    std::vector<std::uint32_t> corners;
    if (primitive.indices >= 0) {
      SKINCELLS_TRY(indices, accessors_.integers(primitive.indices, 1));
      corners = std::move(indices);
    } else {
      corners.resize(stream.vertex_count);
      for (std::uint32_t v = 0; v < stream.vertex_count; ++v) corners[v] = v;
    }
    SKINCELLS_TRY(triangles, assembleTriangles(corners, primitive.mode, stream.vertex_count, where + "/indices"));
    addTriangles(stream, triangles);
    return {};
  }

  Result<void> readDraco(int instance, int p, const std::string& where) {
    const GltfPrimitive& primitive = doc_.model.meshes[out_.instances[instance].mesh].primitives[p];
    SKINCELLS_TRY(geometry, decodeDraco(doc_.model, primitive, where));
    const auto positions = geometry.attributes.find("POSITION");
    if (positions == geometry.attributes.end() || geometry.columns["POSITION"] != 3)
      return Error{ErrorCode::InvalidFile, "its compressed data has no positions", where};
    const std::size_t declared = doc_.model.accessors[primitive.attribute("POSITION")].count;
    if (declared != geometry.vertex_count)
      return Error{ErrorCode::InvalidFile,
                   "its compressed data has " + std::to_string(geometry.vertex_count) +
                       " vertices, but the accessor says " + std::to_string(declared),
                   where};
    SKINCELLS_CHECK(addStream(instance, p, positions->second, where));
    out_.streams.back().primitives.push_back(p);
    addTriangles(out_.streams.back(), geometry.triangles);
    return {};
  }

  const GltfDocument& doc_;
  AccessorReader accessors_;
  GltfCharacter& out_;
};

} // namespace

Result<void> readGeometry(const GltfDocument& doc, GltfCharacter& out) {
  GeometryReader reader(doc, out);
  for (std::size_t i = 0; i < out.instances.size(); ++i) SKINCELLS_CHECK(reader.readInstance(static_cast<int>(i)));
  Mesh& mesh = out.character.mesh;
  // Each section covers a range of triangles: sort them by the stream that their vertices belong to.
  std::stable_sort(mesh.triangles.begin(), mesh.triangles.end(), [&](const Triangle& a, const Triangle& b) {
    const auto section = [&](std::uint32_t v) {
      return std::upper_bound(mesh.sections.begin(), mesh.sections.end(), v,
                              [](std::uint32_t x, const MeshSection& s) { return x < s.first_vertex; }) -
             mesh.sections.begin();
    };
    return section(a[0]) < section(b[0]);
  });
  std::uint32_t next = 0;
  for (MeshSection& s : mesh.sections) {
    s.first_triangle = next;
    while (next < mesh.triangles.size() && mesh.triangles[next][0] < s.first_vertex + s.vertex_count) ++next;
    s.triangle_count = next - s.first_triangle;
  }
  if (mesh.positions.empty()) return Error{ErrorCode::NoMesh, "no mesh to skin has vertices", doc.path};
  return {};
}

} // namespace skincells::io

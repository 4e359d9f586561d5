#include "io/gltf/draco.h"

#include <exception>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wextra-semi"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"
#include <draco/compression/decode.h>
#pragma GCC diagnostic pop

#include "io/gltf/constants.h"

namespace skincells::io {
namespace {

bool isWanted(const std::string& name, DracoAttributes wanted) {
  return wanted == DracoAttributes::All || name == "POSITION" || isSkinningAttribute(name);
}

bool copyAttribute(const draco::Mesh& mesh, const draco::PointAttribute& attribute, std::vector<float>& out) {
  const auto columns = static_cast<std::size_t>(attribute.num_components());
  out.resize(mesh.num_points() * columns);
  for (draco::PointIndex i(0); i < mesh.num_points(); ++i)
    if (!attribute.ConvertValue<float>(attribute.mapped_index(i), static_cast<std::int8_t>(columns),
                                       out.data() + i.value() * columns))
      return false;
  return true;
}

Result<DracoGeometry> decode(const GltfModel& model, const GltfPrimitive& primitive, const std::string& where,
                             DracoAttributes wanted) {
  const Error damaged{ErrorCode::InvalidFile,
                      "its KHR_draco_mesh_compression data cannot be decoded; export the file again", where};
  const GltfView& view = model.views[primitive.draco_view];
  const auto& bytes = model.buffers[view.buffer].bytes;
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(bytes.data() + view.offset), view.length);
  draco::Decoder decoder;
  auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
  if (!decoded.ok()) return damaged;
  const std::unique_ptr<draco::Mesh> mesh = std::move(decoded).value();
  DracoGeometry out;
  out.vertex_count = mesh->num_points();
  for (draco::FaceIndex f(0); f < mesh->num_faces(); ++f) {
    const auto& face = mesh->face(f);
    const Triangle t{face[0].value(), face[1].value(), face[2].value()};
    for (auto v : t)
      if (v >= out.vertex_count) return damaged;
    out.triangles.push_back(t);
  }
  for (const auto& [name, id] : primitive.draco_attributes) {
    if (!isWanted(name, wanted)) continue;
    const draco::PointAttribute* attribute = mesh->GetAttributeByUniqueId(static_cast<std::uint32_t>(id));
    if (attribute == nullptr || !copyAttribute(*mesh, *attribute, out.attributes[name])) return damaged;
    out.columns[name] = attribute->num_components();
  }
  return out;
}

} // namespace

Result<DracoGeometry> decodeDraco(const GltfModel& model, const GltfPrimitive& primitive, const std::string& where,
                                  DracoAttributes wanted) {
  // Draco reports damage by status, but allocates whatever size a damaged header declares.
  try {
    return decode(model, primitive, where, wanted);
  } catch (const std::exception&) {
    return Error{ErrorCode::TooLarge, "its KHR_draco_mesh_compression data declares more memory than is available",
                 where};
  }
}

} // namespace skincells::io

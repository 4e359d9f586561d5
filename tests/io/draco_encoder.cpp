#include "io/draco_encoder.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wextra-semi"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"
#include <draco/compression/encode.h>
#include <draco/mesh/mesh.h>
#pragma GCC diagnostic pop

namespace skincells::test {
namespace {

int addAttribute(draco::Mesh& mesh, draco::GeometryAttribute::Type type, draco::DataType data_type, std::int8_t columns,
                 std::size_t size, const void* values) {
  draco::GeometryAttribute attribute;
  attribute.Init(type, nullptr, columns, data_type, false, static_cast<std::int64_t>(size), 0);
  const int id = mesh.AddAttribute(attribute, true, mesh.num_points());
  for (draco::PointIndex::ValueType v = 0; v < mesh.num_points(); ++v)
    mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(v),
                                          static_cast<const std::uint8_t*>(values) + v * size);
  return id;
}

} // namespace

DracoData encodeDraco(const Mesh& source, const std::vector<std::array<std::uint8_t, 4>>& joints,
                      const std::vector<std::array<float, 4>>& weights) {
  draco::Mesh mesh;
  mesh.set_num_points(source.vertexCount());
  mesh.SetNumFaces(source.triangles.size());
  for (std::size_t t = 0; t < source.triangles.size(); ++t) {
    draco::Mesh::Face face;
    for (std::size_t k = 0; k < 3; ++k) face[k] = draco::PointIndex(source.triangles[t][k]);
    mesh.SetFace(draco::FaceIndex(static_cast<std::uint32_t>(t)), face);
  }
  addAttribute(mesh, draco::GeometryAttribute::POSITION, draco::DT_FLOAT32, 3, 12, source.positions.data());
  addAttribute(mesh, draco::GeometryAttribute::GENERIC, draco::DT_UINT8, 4, 4, joints.data());
  addAttribute(mesh, draco::GeometryAttribute::GENERIC, draco::DT_FLOAT32, 4, 16, weights.data());
  draco::Encoder encoder;
  encoder.SetAttributeQuantization(draco::GeometryAttribute::POSITION, 14);
  encoder.SetTrackEncodedProperties(true);
  draco::EncoderBuffer buffer;
  DracoData out;
  if (!encoder.EncodeMeshToBuffer(mesh, &buffer).ok()) return out;
  out.bytes.assign(buffer.data(), buffer.data() + buffer.size());
  out.vertex_count = encoder.num_encoded_points();
  return out;
}

} // namespace skincells::test

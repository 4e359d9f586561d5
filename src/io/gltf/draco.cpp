#include "io/gltf/draco.h"

#include <exception>
#include <span>
#include <utility>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wextra-semi"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"
#include <draco/compression/decode.h>
#pragma GCC diagnostic pop

#include "base/try.h"
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

// Reads the numbers at the start of Draco data (bitstream 2.2); a number beyond the end makes it bad.
class HeaderReader {
public:
  explicit HeaderReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint32_t byte() { return at_ < bytes_.size() ? bytes_[at_++] : fail(); }
  std::uint64_t variable() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint64_t part = byte();
      value |= (part & 0x7FU) << shift;
      if ((part & 0x80U) == 0) return value;
    }
    return fail();
  }
  void skip(std::uint64_t count) {
    if (count > bytes_.size() - at_)
      fail();
    else
      at_ += count;
  }
  // Names with values, and the same below them.
  void skipMetadata(int depth = 0) {
    if (depth > 16) fail();
    for (std::uint64_t left = variable(); good_ && left > 0; --left) {
      skip(byte());
      skip(variable());
    }
    for (std::uint64_t left = variable(); good_ && left > 0; --left) {
      skip(byte());
      skipMetadata(depth + 1);
    }
  }
  bool good() const { return good_; }

private:
  std::uint32_t fail() {
    good_ = false;
    at_ = bytes_.size();
    return 0;
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  bool good_ = true;
};

// Draco allocates what the header asks for. The accessors' counts have passed the budget of the file, so the header may
// ask for no more than they declare.
Result<void> checkHeader(std::span<const std::uint8_t> bytes, std::uint64_t vertices, std::uint64_t triangles,
                         const std::string& where) {
  constexpr std::uint32_t kMetadata = 0x80, kMesh = 1, kSequential = 0;
  HeaderReader header(bytes);
  header.skip(5); // "DRACO"
  const std::uint32_t major = header.byte(), minor = header.byte(), type = header.byte(), method = header.byte();
  header.skip(1);
  const std::uint32_t flags = header.byte(); // the higher byte
  const Error damaged{ErrorCode::InvalidFile,
                      "its KHR_draco_mesh_compression data cannot be decoded; export the file again", where};
  if (!header.good() || type != kMesh) return damaged;
  if (major != 2 || minor != 2)
    return Error{ErrorCode::UnsupportedFeature,
                 "its KHR_draco_mesh_compression data has version " + std::to_string(major) + "." +
                     std::to_string(minor) + " instead of 2.2; export the file again",
                 where};
  if ((flags & kMetadata) != 0) {
    for (std::uint64_t left = header.variable(); header.good() && left > 0; --left) {
      header.variable(); // which attribute
      header.skipMetadata();
    }
    header.skipMetadata();
  }
  if (method != kSequential) header.byte(); // how the surface is walked
  const std::uint64_t first = header.variable(), second = header.variable();
  const auto [points, faces] = method == kSequential ? std::pair(second, first) : std::pair(first, second);
  if (!header.good()) return damaged;
  if (points > vertices || faces > triangles)
    return Error{ErrorCode::TooLarge,
                 "its KHR_draco_mesh_compression data declares " + std::to_string(points) + " vertices and " +
                     std::to_string(faces) + " triangles, but its accessors " + std::to_string(vertices) + " and " +
                     std::to_string(triangles) + "; export the file again",
                 where};
  return {};
}

Result<DracoGeometry> decode(const GltfModel& model, const GltfPrimitive& primitive, const std::string& where,
                             DracoAttributes wanted) {
  const Error damaged{ErrorCode::InvalidFile,
                      "its KHR_draco_mesh_compression data cannot be decoded; export the file again", where};
  const GltfView& view = model.views[primitive.draco_view];
  const auto& bytes = model.buffers[view.buffer].bytes;
  const int positions = primitive.attribute("POSITION");
  const std::uint64_t vertices = positions >= 0 ? model.accessors[positions].count : 0;
  SKINCELLS_CHECK(checkHeader({bytes.data() + view.offset, view.length}, vertices,
                              primitive.indices >= 0 ? model.accessors[primitive.indices].count / 3 : vertices, where));
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

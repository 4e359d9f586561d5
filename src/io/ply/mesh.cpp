#include "io/ply/mesh.h"

#include "io/file_access.h"
#include "io/ply/numbers.h"

namespace skincells::io {

Result<void> writeMeshPly(const Mesh& mesh, const std::string& comment, const std::string& path, bool force) {
  constexpr PlyFormat kFormat = PlyFormat::LittleEndian;
  const std::string header =
      "ply\nformat binary_little_endian 1.0\ncomment " + comment + "\nelement vertex " +
      std::to_string(mesh.positions.size()) + "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
      std::to_string(mesh.triangles.size()) + "\nproperty list uchar uint vertex_indices\nend_header\n";
  std::vector<std::uint8_t> bytes(header.begin(), header.end());
  for (const Vec3f& p : mesh.positions)
    for (const float c : {p.x, p.y, p.z}) writePlyNumber(c, PlyType::F32, kFormat, bytes);
  for (const Triangle& t : mesh.triangles) {
    writePlyNumber(3, PlyType::U8, kFormat, bytes);
    for (const std::uint32_t v : t) writePlyNumber(v, PlyType::U32, kFormat, bytes);
  }
  const OutputFile file{path, std::move(bytes)};
  return writeFiles({&file, 1}, force);
}

} // namespace skincells::io

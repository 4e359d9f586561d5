// Point clouds, splats and meshes in PLY files: read, given weights, and written back with everything else as it was.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "skincells/io/character_file.h"
#include "skincells/mesh.h"
#include "skincells/result.h"
#include "skincells/weights.h"

namespace skincells {

namespace io {
class PlyFile;
}

struct PointCloudInfo {
  std::string path;
  std::string format; // "PLY, ascii", "PLY, binary little-endian", ...
  std::uint64_t byte_size = 0;
  bool has_normals = false; // nx, ny, nz
  bool splats = false;      // 3D Gaussian splats: scale_0..2 and rot_0..3
  int harmonics_degree = 0; // of the splats' colors: 0 .. 3, by the number of f_rest_ properties
};

class PointCloudFile {
public:
  static Result<PointCloudFile> read(const std::string& path);
  // The same from memory; `name` stands for the path in messages.
  static Result<PointCloudFile> readPly(std::vector<std::uint8_t> bytes, const std::string& name);

  PointCloudFile(PointCloudFile&&) noexcept;
  PointCloudFile& operator=(PointCloudFile&&) noexcept;
  ~PointCloudFile();

  // Points, and triangles where the file has faces.
  const Mesh& mesh() const;
  const PointCloudInfo& info() const;
  const Warnings& warnings() const;

  // The weights that the file holds (joint_k, weight_k), canonical; empty: none. They index `jointNames`.
  const SparseWeights& weights() const;
  // By the comments "skincells joint INDEX NAME".
  const std::vector<std::string>& jointNames() const;

  // Writes the file again, in its own format, with these weights: vertex properties joint_0, weight_0, joint_1, ...
  // (ushort and float; one pair per slot) and a comment "skincells joint INDEX NAME" per joint. Weights of the input
  // are replaced.
  Result<void> write(const std::string& path, const SparseWeights& weights, const std::vector<std::string>& joint_names,
                     const WriteOptions& options = {}) const;

  // The file itself, for other parts of this library.
  const io::PlyFile& source() const;

private:
  struct State;
  explicit PointCloudFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Does the path's extension say that it is a PLY file?
bool isPlyPath(const std::string& path);

} // namespace skincells

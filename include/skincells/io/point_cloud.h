// Point clouds, splats and meshes in PLY files: read, and written back with new weights and everything else unchanged.
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
struct PointCloudAccess;
}

struct PointCloudInfo {
  std::string path;
  std::string format; // "PLY, ascii", "PLY, binary little-endian", ...
  std::uint64_t byte_size = 0;
  bool has_normals = false; // nx, ny, nz
  bool splats = false;      // 3D Gaussian splats: scale_0..2 and rot_0..3
  int harmonics_degree = 0; // degree of the splats' colors, 0 .. 3, from the number of f_rest_ properties
};

class PointCloudFile {
public:
  static Result<PointCloudFile> read(const std::string& path);
  // The same from memory; `name` is used as the path in messages.
  static Result<PointCloudFile> readPly(std::vector<std::uint8_t> bytes, const std::string& name);

  PointCloudFile(PointCloudFile&&) noexcept;
  PointCloudFile& operator=(PointCloudFile&&) noexcept;
  ~PointCloudFile();

  // The points, and the faces as triangles.
  const Mesh& mesh() const;
  // The file's normals (nx, ny, nz), as stored, one per point. Empty: it has none, or has splats, whose normals are
  // placeholders.
  const std::vector<Vec3f>& normals() const;
  const PointCloudInfo& info() const;
  const Warnings& warnings() const;

  // The weights of the file (joint_k, weight_k), canonical; empty: none. Joints are indices into `jointNames`.
  const SparseWeights& weights() const;
  // From the comments "skincells joint INDEX NAME".
  const std::vector<std::string>& jointNames() const;

  // Writes the file, in its original format, with these weights: vertex properties joint_0, weight_0, joint_1, ...
  // (ushort and float, one pair per slot) and a comment "skincells joint INDEX NAME" per joint. They replace weights of
  // the input.
  Result<void> write(const std::string& path, const SparseWeights& weights, const std::vector<std::string>& joint_names,
                     const WriteOptions& options = {}) const;
  // The same as a part of a run: the file is staged, and appears when `outputs` are committed.
  Result<void> write(OutputSet& outputs, const std::string& path, const SparseWeights& weights,
                     const std::vector<std::string>& joint_names, const WriteOptions& options = {}) const;

private:
  friend struct io::PointCloudAccess;
  struct State;
  explicit PointCloudFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Whether the path has the extension .ply, in upper or lower case.
bool isPlyPath(const std::string& path);

} // namespace skincells

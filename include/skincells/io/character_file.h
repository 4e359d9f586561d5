// Character files: reading them, and writing them back with new weights and everything else as it was.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "skincells/character.h"
#include "skincells/io/field_file.h"
#include "skincells/metrics.h"
#include "skincells/options.h"
#include "skincells/result.h"

namespace skincells {

class CharacterFile;

struct ReadOptions {
  // Name of the node whose subtree is the skeleton, for files without a skin; empty: found when unambiguous.
  std::string skeleton;
  // Another file to take the skeleton from; empty: the input's own.
  std::string rig;
  // Of a file with levels of detail (MSFT_lod): the one to read, 0 .. 100, 0 the finest. Nodes that have fewer show
  // their last; that no node has so many is an error.
  int level = 0;
};
const OptionTable<ReadOptions>& readOptionTable();

enum class QuantizeChoice { Auto, U8, U16, F32 };

struct WriteOptions {
  QuantizeChoice quantize = QuantizeChoice::Auto; // Auto: u16 for up to 4 influences, f32 beyond
  bool force = false;                             // replace an existing output file
};
const OptionTable<WriteOptions>& writeOptionTable();
// Could a character be written there, as its extension says? Nothing is changed; ask before long work.
Result<void> checkOutputPath(const std::string& path, const WriteOptions& options = {});

// Facts about a file that are not in the Character.
struct FileInfo {
  std::string path;
  std::string format;    // "GLB", "glTF", "VRM 0", "FBX (via Assimp)", ...
  std::string generator; // as the file says
  std::vector<std::string> extensions_used;
  std::uint64_t byte_size = 0;
  int node_count = 0, mesh_count = 0, skin_count = 0, material_count = 0, image_count = 0;
  int skinned_primitive_count = 0;
  int unskinned_mesh_node_count = 0;        // mesh nodes left as they are
  std::uint64_t unskinned_vertex_count = 0; // vertices under them
  std::uint64_t unskinned_triangle_count = 0;
  int morph_target_count = 0;
  int level_count = 1;           // levels of detail in the file (MSFT_lod); one of them was read
  std::string skeleton_source;   // "skin", "node tree 'Armature'", "rig.glb"
  double bind_rest_rotation = 0; // largest angle between a joint's bind and rest orientation, degrees
  double bind_rest_offset = 0;   // largest distance between them, in % of the diagonal
  double meters_per_unit = 1;    // bind space -> meters, by the node tree
  char up_axis = '?';            // of bind space: 'x', 'y', 'z'; lower case positive, upper case negative
};

// A coarser level of a character: made with CharacterFile::reduced from the file that it is written with.
struct CoarserLevel {
  const CharacterFile* file = nullptr;
  const SparseWeights* weights = nullptr; // one row per vertex, canonical
};

class CharacterFile {
public:
  // Reads .glb, .gltf, .vrm, and what the import helper understands (.fbx, .obj, .dae, ...).
  static Result<CharacterFile> read(const std::string& path, const ReadOptions& options = {});
  // The same from memory; `name` stands for the path in messages. External resources are refused.
  static Result<CharacterFile> readGlb(std::span<const std::uint8_t> bytes, const std::string& name,
                                       const ReadOptions& options = {});

  CharacterFile(CharacterFile&&) noexcept;
  CharacterFile& operator=(CharacterFile&&) noexcept;
  ~CharacterFile();

  const Character& character() const;
  const FileInfo& info() const;
  const Warnings& warnings() const;
  // What is wrong with the skin as stored, before `character().weights` was tidied up.
  const std::vector<Defect>& skinDefects() const;

  // The field that belongs to it: embedded in it, or in a file of the same name with the extension .skc beside it.
  // Nothing where there is none; an error where there is one that cannot be read.
  Result<std::optional<FieldDocument>> field() const;

  const std::vector<ClipInfo>& clips() const;
  // The pose at a time in seconds, clamped to the clip; lengths in bind units (a uniform scale of the whole
  // character is divided out).
  Pose samplePose(std::size_t clip, double time) const;

  // Writes the file again with these weights (one row per vertex, canonical). The extension of `path` (.glb, .vrm,
  // .gltf) picks the format. The file appears under its name only when it is complete.
  // A field goes into the file, or beside it, as its options say; either everything is written or nothing. A field that
  // the input holds is dropped, because it belongs to other weights.
  Result<void> write(const std::string& path, const SparseWeights& weights, const WriteOptions& options = {},
                     const FieldOutput& field = {}) const;

  // The same with coarser levels in one file (extension MSFT_lod): they share skeleton, materials, pictures and
  // animations. coverage: for this level and each coarser one the share of the screen (0 .. 1) down to which it is
  // shown.
  Result<void> writeLevels(const std::string& path, const SparseWeights& weights, std::span<const CoarserLevel> levels,
                           std::span<const double> coverage, const WriteOptions& options = {}) const;

  // The character as one GLB in memory that refers to nothing outside it: as it was read, or with these weights.
  Result<std::vector<std::uint8_t>> encodeGlb() const;
  Result<std::vector<std::uint8_t>> encodeGlb(const SparseWeights& weights) const;

  // The same file with other triangles, and without the vertices that none of them uses; for levels of detail.
  // Triangle i takes the place of triangle `source[i]` of `character().mesh`: its corners are vertices of the same
  // section. Compressed geometry is unpacked.
  Result<CharacterFile> reduced(std::span<const Triangle> triangles, std::span<const std::uint32_t> source) const;

  // The same file with the level that was read as its only one: no extension MSFT_lod, no meshes of other levels.
  Result<CharacterFile> withOneLevel() const;

  // Writes the file as a static one: every vertex v at map(v) of its bind-space position, scaled by `scale`, without
  // skins, weights, morph targets and animations. Meshes that have no skin stay where they are.
  Result<void> writeStatic(const std::string& path, const std::function<Affine(std::size_t)>& map, double scale,
                           const WriteOptions& options = {}) const;

private:
  struct State;
  explicit CharacterFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Reads a pose file (docs/formats.md): joint names, and one or more sets of poses over them. Joints that the file
// does not name stay in bind pose.
struct PoseFile {
  std::vector<PoseSet> sets; // over the skeleton's joints
  Warnings warnings;
};
Result<PoseFile> readPoseFile(const std::string& path, const Skeleton& skeleton);

} // namespace skincells

// Character files: read, and written back with new weights and everything else unchanged.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "skincells/character.h"
#include "skincells/io/base_colors.h"
#include "skincells/io/field_file.h"
#include "skincells/io/output_set.h"
#include "skincells/metrics.h"
#include "skincells/options.h"
#include "skincells/result.h"

namespace skincells {

class CharacterFile;

struct ReadOptions {
  // For files without a skin: name of the node whose subtree is the skeleton; empty: found if unambiguous.
  std::string skeleton;
  // For files without a skin: another file to take the skeleton from; empty: the input itself.
  std::string rig;
  // For files with levels of detail (MSFT_lod): the level to read, 0 .. 100, 0 is the finest. Nodes with fewer levels
  // show their last one; fails if no node has this level.
  int level = 0;
  // For files without a skin: what to do if the mesh is in another space than the skeleton. "auto": align it if another
  // unit or up-axis clearly fits; "none"; or the difference: "100", "z-up", "0.01,y-up" (docs/formats.md).
  std::string align = "auto";
  // For files without a skin: the pose of the skeleton that fits the mesh. "auto": the nodes, or another pose of the
  // file if that clearly fits; "rest": the nodes; "skin": the inverse bind matrices of an unused skin; or the name of a
  // clip, whose first frame is taken.
  std::string bind_pose = "auto";
  // For files with a skin: names of further nodes that are joints, though no skin lists them. Not in the table.
  std::vector<std::string> more_joints = {};
};
const OptionTable<ReadOptions>& readOptionTable();

enum class QuantizeChoice { Auto, U8, U16, F32 };

struct WriteOptions {
  QuantizeChoice quantize = QuantizeChoice::Auto; // Auto: u16 for up to 4 influences, f32 beyond
  bool keep_unused = false;                       // keep data that was replaced and that nothing refers to
  bool force = false;                             // replace an existing output file
};
const OptionTable<WriteOptions>& writeOptionTable();
// Fails if no character can be written to the path. Changes nothing; call it before long work.
Result<void> checkOutputPath(const std::string& path, const WriteOptions& options = {});

// Facts about a file that are not in the Character.
struct FileInfo {
  std::string path;
  std::string format;    // "GLB", "glTF", "VRM 0 (GLB)", "fbx, imported as glTF", ...
  std::string generator; // from the file
  std::vector<std::string> extensions_used;
  std::uint64_t byte_size = 0;
  std::vector<std::string>
      resources; // other files that were read with it, or are copied with it: buffers, images, a rig
  int node_count = 0, mesh_count = 0, skin_count = 0, material_count = 0, image_count = 0;
  int skinned_primitive_count = 0;
  int unskinned_mesh_node_count = 0;        // mesh nodes that are not skinned
  std::uint64_t unskinned_vertex_count = 0; // vertices under them
  std::uint64_t unskinned_triangle_count = 0;
  int morph_target_count = 0;
  int level_count = 1;           // levels of detail in the file (MSFT_lod), of which one was read
  std::string skeleton_source;   // "skin", "node tree 'Armature'", "rig.glb"
  double bind_rest_rotation = 0; // largest angle between a joint's bind and rest orientation, degrees
  double bind_rest_offset = 0;   // largest distance between them, in % of the diagonal
  double meters_per_unit = 1;    // bind space -> meters, from the node tree
  char up_axis = '?';            // up axis of bind space: 'x', 'y', 'z' positive, 'X', 'Y', 'Z' negative
  Affine bind_from_scene;        // takes poses of clips (CharacterFile::samplePose) to bind space
};

// The nodes of a file, whether or not it has a character.
struct FileOutline {
  struct Node {
    std::string name;
    int depth = 0;
    std::uint64_t vertices = 0; // of its mesh; 0: it has none
  };
  // A node tree that may be the skeleton.
  struct Tree {
    std::string root; // for --skeleton
    int nodes = 0;    // without mesh, camera and light
  };
  FileInfo info;           // without what needs a character
  std::vector<Node> nodes; // parents before children, each followed by what is below it
  std::vector<Tree> trees; // the largest first; empty if a mesh of the file has a skin
};

// A coarser level of a character, made with CharacterFile::reduced from the file that it is written with.
struct CoarserLevel {
  const CharacterFile* file = nullptr;
  const SparseWeights* weights = nullptr; // one row per vertex, canonical
};

class CharacterFile {
public:
  // Reads .glb, .gltf, .vrm, and the formats of the import program (.fbx, .obj, .dae, ...).
  static Result<CharacterFile> read(const std::string& path, const ReadOptions& options = {});
  // The same from memory; `name` is used as the path in messages. External resources are refused.
  static Result<CharacterFile> readGlb(std::span<const std::uint8_t> bytes, const std::string& name,
                                       const ReadOptions& options = {});

  // Reads what can be said without a skeleton. Fails only for files that cannot be read at all.
  static Result<FileOutline> outline(const std::string& path);

  CharacterFile(CharacterFile&&) noexcept;
  CharacterFile& operator=(CharacterFile&&) noexcept;
  ~CharacterFile();

  const Character& character() const;
  const FileInfo& info() const;
  const Warnings& warnings() const;
  // Defects of the skin as stored, before `character().weights` was made canonical.
  const std::vector<Defect>& skinDefects() const;

  // The colors of its materials with their textures; reads images beside the file.
  BaseColors baseColors() const;

  // The field of the character: embedded in the file, or in a file of the same name with the extension .skc. Nothing if
  // there is none; an error if there is one that cannot be read.
  Result<std::optional<FieldDocument>> field() const;
  // The path of that separate file; empty if there is none.
  std::string fieldPath() const;

  const std::vector<ClipInfo>& clips() const;
  // The pose at a time in seconds, clamped to the clip, in the space of the scene; lengths in bind units (a uniform
  // scale of the whole character is divided out).
  Pose samplePose(std::size_t clip, double time) const;

  // The same file with the nodes of these names as joints, too. Names that no node has are ignored.
  Result<CharacterFile> withJoints(std::vector<std::string> names) const;

  // Fails if the file cannot be written in the format of the path's extension: a .vrm must come from a VRM.
  Result<void> checkOutput(const std::string& path) const;

  // Writes the file with these weights (one row per vertex, canonical). The extension of `path` (.glb, .vrm, .gltf)
  // determines the format. The file appears under its name only when it is complete.
  // A field is embedded or written to a separate file, depending on its options; either everything is written or
  // nothing. A field of the input is removed, because it belongs to other weights.
  Result<void> write(const std::string& path, const SparseWeights& weights, const WriteOptions& options = {},
                     const FieldOutput& field = {}) const;
  // The same as a part of a run: the files are staged, and appear when `outputs` are committed.
  Result<void> write(OutputSet& outputs, const std::string& path, const SparseWeights& weights,
                     const WriteOptions& options = {}, const FieldOutput& field = {}) const;

  // The same with coarser levels in one file (extension MSFT_lod), which share skeleton, materials, images and
  // animations. coverage: for this level and each coarser one, the share of the screen (0 .. 1) down to which it is
  // shown.
  Result<void> writeLevels(OutputSet& outputs, const std::string& path, const SparseWeights& weights,
                           std::span<const CoarserLevel> levels, std::span<const double> coverage,
                           const WriteOptions& options = {}) const;

  // The character as one GLB in memory without external references: unchanged, or with these weights.
  Result<std::vector<std::uint8_t>> encodeGlb() const;
  Result<std::vector<std::uint8_t>> encodeGlb(const SparseWeights& weights) const;

  // The same file with other triangles, and without the vertices that none of them uses; for levels of detail.
  // Triangle i replaces triangle `source[i]` of `character().mesh`; its corners are vertices of the same section.
  // Compressed geometry is decompressed.
  Result<CharacterFile> reduced(std::span<const Triangle> triangles, std::span<const std::uint32_t> source) const;

  // The same file with only the level that was read: no extension MSFT_lod, no meshes of other levels.
  Result<CharacterFile> withOneLevel() const;

  // Writes a static file: vertex v is at map(v) of its bind-space position, scaled by `scale`. Skins, weights, morph
  // targets and animations are removed. Meshes without a skin stay where they are.
  Result<void> writeStatic(const std::string& path, const std::function<Affine(std::size_t)>& map, double scale,
                           const WriteOptions& options = {}) const;
  Result<void> writeStatic(OutputSet& outputs, const std::string& path, const std::function<Affine(std::size_t)>& map,
                           double scale, const WriteOptions& options = {}) const;

private:
  struct State;
  explicit CharacterFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace skincells

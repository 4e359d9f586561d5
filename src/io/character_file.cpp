#include "skincells/io/character_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "base/read_file.h"
#include "base/try.h"
#include "io/clip_poses.h"
#include "io/foreign_import.h"
#include "io/gltf/animation.h"
#include "io/gltf/document.h"
#include "io/gltf/edit/levels.h"
#include "io/gltf/edit/pack.h"
#include "io/gltf/edit/reduce.h"
#include "io/gltf/edit/rig_transfer.h"
#include "io/gltf/edit/static.h"
#include "io/gltf/edit/unused.h"
#include "io/gltf/edit/weights.h"
#include "io/gltf/read/base_colors.h"
#include "io/gltf/read/character.h"
#include "io/gltf/read/skeleton_search.h"
#include "io/skc/embedded_field.h"
#include "skincells/io/point_cloud.h"

namespace fs = std::filesystem;

namespace skincells {

struct CharacterFile::State {
  io::GltfDocument document;
  io::GltfCharacter content;
  std::optional<io::ClipSampler> sampler;
  ReadOptions options; // without those of a rig that was already copied

  Result<void> stage(io::EditedDocument edited, const std::string& path, const WriteOptions& write_options,
                     OutputSet& outputs) const;
  Result<void> checkOutput(const std::string& path) const;
  Result<void> checkWeights(const SparseWeights& weights) const;
  Result<io::EditedDocument> withWeights(const SparseWeights& weights, const WriteOptions& write_options) const;
  Result<CharacterFile> reload(io::EditedDocument edited, const ReadOptions& read_options) const;
  static Result<CharacterFile> load(io::GltfDocument document, const ReadOptions& options, Warnings warnings,
                                    std::uint64_t byte_size);
};

namespace {

// A mesh in a PLY file can be imported; points and splats have no surface.
Result<void> refuseClouds(const std::string& path) {
  if (!isPlyPath(path)) return {};
  const auto cloud = PointCloudFile::read(path);
  if (!cloud || !cloud->mesh().triangles.empty()) return {}; // errors of the file are reported by the import
  return Error{
      ErrorCode::UnsupportedFeature,
      std::string("has ") + (cloud->info().splats ? "splats" : "points") +
          " without a surface; bind them with 'skincells bind CLOUD.ply --rig RIG -o WEIGHTED.ply', or give them "
          "the field of a mesh of the character with 'skincells apply FILE.skc CLOUD.ply -o WEIGHTED.ply'; look at "
          "them with 'skincells view', move them with 'skincells pose'",
      path};
}

// The file as a glTF document, whatever its format.
Result<io::GltfDocument> openDocument(const std::string& path, Warnings& warnings) {
  SKINCELLS_CHECK(refuseClouds(path));
  const std::string extension = fs::path(path).extension().string();
  if (io::isForeignExtension(extension)) {
    SKINCELLS_TRY(imported, io::importForeign(path, warnings));
    auto document = io::loadDocument(imported.glb, path, "");
    if (document) document->resources = std::move(imported.resources);
    return document;
  }
  SKINCELLS_TRY(bytes, readFile(path));
  const std::string folder = fs::path(path).parent_path().string();
  auto document = io::loadDocument(bytes, path, folder.empty() ? "." : folder);
  const bool known = extension == ".glb" || extension == ".gltf" || extension == ".vrm";
  if (!document && !known && document.error().code == ErrorCode::InvalidFile)
    return Error{ErrorCode::UnsupportedFeature,
                 "is not in a supported format (.glb, .gltf, .vrm, " + io::foreignExtensionList() + ")", path};
  return document;
}

// Enough poses to see how the clips move each joint; fewer for very large node trees.
std::vector<Pose> clipPoses(const io::ClipSampler& sampler, std::size_t node_count, const Affine& bind_from_scene) {
  constexpr std::size_t kMaxPoses = 128, kMaxNodes = 250'000; // nodes: of all poses together
  constexpr double kFramesPerSecond = 30;
  const std::size_t most = std::clamp<std::size_t>(kMaxNodes / std::max<std::size_t>(node_count, 1), 1, kMaxPoses);
  std::vector<Pose> poses;
  for (const io::ClipFrame& f : io::clipFrames(sampler.clips(), kFramesPerSecond, most))
    if (sampler.clips()[f.clip].channel_count > 0)
      poses.push_back(io::movedPose(bind_from_scene, sampler.sample(f.clip, f.time)));
  return poses;
}

} // namespace

const OptionTable<ReadOptions>& readOptionTable() {
  static const OptionTable<ReadOptions> table{
      options::text(
          "skeleton", &ReadOptions::skeleton, "a node's name",
          "for files without a skin: the node whose subtree is the skeleton; without it: found if unambiguous"),
      options::text("rig", &ReadOptions::rig, "a file", "for files without a skin: take the skeleton from this file"),
      options::integer("level", &ReadOptions::level, 0, 100,
                       "for files with levels of detail (MSFT_lod): the level to read, 0 is the finest"),
      options::text("align-rig", &ReadOptions::align, "auto | none | SCALE | z-up | y-up | SCALE,z-up | stored",
                    "for files without a skin: how the mesh differs from the skeleton in unit and up-axis; stored: it "
                    "fits without the transform of its node; auto: found if clear"),
      options::text("bind-pose", &ReadOptions::bind_pose, "auto | rest | skin | CLIP",
                    "for files without a skin: the pose of the skeleton that fits the mesh: that of the nodes, of an "
                    "unused skin, or the first frame of a clip; auto: found if clear"),
  };
  return table;
}

const OptionTable<WriteOptions>& writeOptionTable() {
  static const OptionTable<WriteOptions> table{
      options::choice<WriteOptions, QuantizeChoice>(
          "quantize", &WriteOptions::quantize,
          {{"auto", QuantizeChoice::Auto},
           {"u8", QuantizeChoice::U8},
           {"u16", QuantizeChoice::U16},
           {"f32", QuantizeChoice::F32}},
          "number format of weights; auto: u16 for up to 4 influences, f32 beyond"),
      options::flag("keep-unused", &WriteOptions::keep_unused,
                    "keep the bytes of replaced weights in the file; without it, they leave unless shared"),
      options::flag("force", &WriteOptions::force, "replace an existing output file"),
  };
  return table;
}

CharacterFile::CharacterFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
CharacterFile::CharacterFile(CharacterFile&&) noexcept = default;
CharacterFile& CharacterFile::operator=(CharacterFile&&) noexcept = default;
CharacterFile::~CharacterFile() = default;

Result<CharacterFile> CharacterFile::State::load(io::GltfDocument document, const ReadOptions& options,
                                                 Warnings warnings, std::uint64_t byte_size) {
  auto state = std::make_unique<State>();
  state->document = std::move(document);
  ReadOptions remaining = options;
  std::vector<std::string> rig_files;
  if (!options.rig.empty()) {
    SKINCELLS_TRY(rig, openDocument(options.rig, warnings));
    SKINCELLS_CHECK(io::transferRig(rig, options, state->document));
    rig_files = std::move(rig.resources);
    rig_files.push_back(options.rig);
    remaining.skeleton.clear(); // names a node of the rig
  }
  remaining.rig.clear();
  state->options = remaining;
  SKINCELLS_TRY(level_count, io::selectLevel(state->document, remaining.level));
  SKINCELLS_TRY(content, io::buildCharacter(state->document, remaining));
  state->content = std::move(content);
  state->content.info.level_count = level_count;
  if (level_count > 1)
    warnings.push_back({"lod.one_level_read",
                        "has " + std::to_string(level_count) + " levels of detail; level " +
                            std::to_string(remaining.level) + " was read, the others are unchanged",
                        state->document.path});
  Warnings& all = state->content.warnings;
  all.insert(all.begin(), warnings.begin(), warnings.end());
  FileInfo& info = state->content.info;
  info.byte_size = byte_size;
  info.resources = state->document.resources;
  info.resources.insert(info.resources.end(), rig_files.begin(), rig_files.end());
  const fs::path path(state->document.path);
  if (io::isForeignExtension(path.extension().string()))
    info.format = path.extension().string().substr(1) + ", imported as glTF";
  state->content.character.name = path.stem().string();
  state->sampler.emplace(state->document, state->content, all);
  state->content.character.clip_poses =
      clipPoses(*state->sampler, state->document.model.nodes.size(), info.bind_from_scene);
  return CharacterFile(std::move(state));
}

Result<void> checkOutputPath(const std::string& path, const WriteOptions& options) {
  SKINCELLS_CHECK(options::validate(writeOptionTable(), options));
  SKINCELLS_CHECK(io::checkFormat(path));
  return OutputSet().addOutput(path, options.force);
}

Result<CharacterFile> CharacterFile::read(const std::string& path, const ReadOptions& options) {
  Warnings warnings;
  SKINCELLS_TRY(document, openDocument(path, warnings));
  std::error_code ignored;
  return State::load(std::move(document), options, std::move(warnings), fs::file_size(path, ignored));
}

Result<FileOutline> CharacterFile::outline(const std::string& path) {
  Warnings ignored;
  SKINCELLS_TRY(document, openDocument(path, ignored));
  FileOutline out = io::outlineOf(document);
  out.info = io::describeFile(document);
  out.info.resources = std::move(document.resources);
  std::error_code no_size;
  out.info.byte_size = fs::file_size(path, no_size);
  return out;
}

Result<CharacterFile> CharacterFile::readGlb(std::span<const std::uint8_t> bytes, const std::string& name,
                                             const ReadOptions& options) {
  SKINCELLS_TRY(document, io::loadDocument(bytes, name, ""));
  return State::load(std::move(document), options, {}, bytes.size());
}

const Character& CharacterFile::character() const {
  return state_->content.character;
}
const FileInfo& CharacterFile::info() const {
  return state_->content.info;
}
const Warnings& CharacterFile::warnings() const {
  return state_->content.warnings;
}
const std::vector<Defect>& CharacterFile::skinDefects() const {
  return state_->content.defects;
}
Result<std::optional<FieldDocument>> CharacterFile::field() const {
  const std::string& path = state_->content.info.path;
  if (io::hasEmbeddedField(state_->document.json)) {
    SKINCELLS_TRY(bytes, io::embeddedField(state_->document.json, path));
    SKINCELLS_TRY(embedded, decodeField(bytes, path + "#/extras/" + io::kEmbeddedFieldKey));
    return std::optional(std::move(embedded));
  }
  const std::string beside = fieldPath();
  if (beside.empty()) return std::optional<FieldDocument>{};
  SKINCELLS_TRY(found, readFieldFile(beside));
  return std::optional(std::move(found));
}

std::string CharacterFile::fieldPath() const {
  const fs::path beside = fs::path(state_->content.info.path).replace_extension(".skc");
  std::error_code ignored;
  const bool is_embedded = io::hasEmbeddedField(state_->document.json);
  return !is_embedded && fs::is_regular_file(beside, ignored) ? beside.string() : std::string();
}

BaseColors CharacterFile::baseColors() const {
  return io::readBaseColors(state_->document, state_->content);
}

const std::vector<ClipInfo>& CharacterFile::clips() const {
  return state_->sampler->clips();
}
Pose CharacterFile::samplePose(std::size_t clip, double time) const {
  return state_->sampler->sample(clip, time);
}

Result<std::vector<std::uint8_t>> CharacterFile::encodeGlb() const {
  io::EditedDocument copy{state_->document.json, state_->document.model.buffers, -1};
  io::showLevel(copy.json, state_->options.level);
  return io::packSelfContained(state_->document, std::move(copy));
}

Result<std::vector<std::uint8_t>> CharacterFile::encodeGlb(const SparseWeights& weights) const {
  SKINCELLS_CHECK(state_->checkWeights(weights));
  SKINCELLS_TRY(edited, io::applyWeights(state_->document, state_->content, weights, Quantization::F32));
  io::showLevel(edited.json, state_->options.level);
  return io::packSelfContained(state_->document, std::move(edited));
}

Result<void> CharacterFile::State::checkOutput(const std::string& path) const {
  SKINCELLS_CHECK(io::checkFormat(path));
  if (fs::path(path).extension() == ".vrm" && !content.info.format.starts_with("VRM"))
    return Error{ErrorCode::InvalidOption,
                 "the input is no VRM, and what a VRM says of its avatar cannot be made up; write a .glb or .gltf file",
                 path};
  return {};
}

Result<void> CharacterFile::State::stage(io::EditedDocument edited, const std::string& path,
                                         const WriteOptions& write_options, OutputSet& outputs) const {
  SKINCELLS_CHECK(options::validate(writeOptionTable(), write_options));
  SKINCELLS_CHECK(checkOutput(path));
  SKINCELLS_CHECK(outputs.addInputs(content.info.resources));
  if (!document.folder.empty()) SKINCELLS_CHECK(outputs.addInput(document.path)); // else it is only a name
  if (!write_options.keep_unused)
    io::dropReplaced(document.json, edited, fs::path(path).extension() != ".gltf"); // .gltf: buffers are files
  return io::stageDocument(document, std::move(edited), path, write_options.force, outputs);
}

Result<void> CharacterFile::State::checkWeights(const SparseWeights& weights) const {
  const Skeleton& skeleton = content.character.skeleton;
  if (weights.vertexCount() != content.character.mesh.positions.size() || weights.slots > kMaxInfluences)
    return Error{ErrorCode::Mismatch, "the weights are not for this mesh, or have more than 8 slots", document.path};
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
    double sum = 0;
    bool sound = true;
    for (std::size_t k = 0; k < weights.weightRow(v).size(); ++k) {
      const float w = weights.weightRow(v)[k];
      sound = sound && w >= 0 && std::isfinite(w) && weights.jointRow(v)[k] < skeleton.joints.size();
      sum += static_cast<double>(w);
    }
    if (!sound || !(sum > 0))
      return Error{ErrorCode::Mismatch,
                   "the weights of vertex " + std::to_string(v) +
                       " are missing, negative, not finite or of no joint of the skeleton; nothing was written",
                   document.path};
  }
  return {};
}

// Reads the edited document as a new character file.
Result<CharacterFile> CharacterFile::State::reload(io::EditedDocument edited, const ReadOptions& read_options) const {
  io::GltfDocument fresh{
      document.path,           document.folder,         document.binary,   std::move(edited.json), {},
      document.foreign_joints, document.foreign_source, document.resources};
  SKINCELLS_TRY(model, io::parseModel(fresh.json, std::move(edited.buffers), document.path));
  fresh.model = std::move(model);
  return load(std::move(fresh), read_options, {}, content.info.byte_size);
}

Result<CharacterFile> CharacterFile::withJoints(std::vector<std::string> names) const {
  ReadOptions options = state_->options;
  options.more_joints = std::move(names);
  return state_->reload({state_->document.json, state_->document.model.buffers, -1}, options);
}

Result<void> CharacterFile::checkOutput(const std::string& path) const {
  return state_->checkOutput(path);
}

Result<CharacterFile> CharacterFile::reduced(std::span<const Triangle> triangles,
                                             std::span<const std::uint32_t> source) const {
  SKINCELLS_TRY(edited, io::rebuildReduced(state_->document, state_->content, triangles, source));
  return state_->reload(std::move(edited), state_->options);
}

Result<CharacterFile> CharacterFile::withOneLevel() const {
  ReadOptions options = state_->options;
  options.level = 0;
  return state_->reload(io::onlyLevel(state_->document, state_->content, state_->options.level), options);
}

Result<void> CharacterFile::writeStatic(const std::string& path, const std::function<Affine(std::size_t)>& map,
                                        double scale, const WriteOptions& options) const {
  OutputSet outputs;
  SKINCELLS_CHECK(writeStatic(outputs, path, map, scale, options));
  return outputs.commit();
}

Result<void> CharacterFile::writeStatic(OutputSet& outputs, const std::string& path,
                                        const std::function<Affine(std::size_t)>& map, double scale,
                                        const WriteOptions& options) const {
  SKINCELLS_TRY(edited, io::rebuildStatic(state_->document, state_->content, map, scale));
  return state_->stage(std::move(edited), path, options, outputs);
}

Result<io::EditedDocument> CharacterFile::State::withWeights(const SparseWeights& weights,
                                                             const WriteOptions& write_options) const {
  SKINCELLS_CHECK(checkWeights(weights));
  Quantization quantization = weights.slots <= 4 ? Quantization::U16 : Quantization::F32;
  if (write_options.quantize == QuantizeChoice::U8) quantization = Quantization::U8;
  if (write_options.quantize == QuantizeChoice::U16) quantization = Quantization::U16;
  if (write_options.quantize == QuantizeChoice::F32) quantization = Quantization::F32;
  SKINCELLS_TRY(edited, io::applyWeights(document, content, weights, quantization));
  io::dropEmbeddedField(edited.json);
  return edited;
}

Result<void> CharacterFile::writeLevels(OutputSet& outputs, const std::string& path, const SparseWeights& weights,
                                        std::span<const CoarserLevel> levels, std::span<const double> coverage,
                                        const WriteOptions& options) const {
  SKINCELLS_TRY(edited, state_->withWeights(weights, options));
  for (std::size_t l = 0; l < levels.size(); ++l) {
    SKINCELLS_TRY(coarser, levels[l].file->state_->withWeights(*levels[l].weights, options));
    SKINCELLS_CHECK(io::addLevel(edited, coarser, static_cast<int>(l) + 1, state_->document.path));
  }
  io::setScreenCoverage(edited, coverage);
  return state_->stage(std::move(edited), path, options, outputs);
}

Result<void> CharacterFile::write(const std::string& path, const SparseWeights& weights, const WriteOptions& options,
                                  const FieldOutput& field) const {
  OutputSet outputs;
  SKINCELLS_CHECK(write(outputs, path, weights, options, field));
  return outputs.commit();
}

Result<void> CharacterFile::write(OutputSet& outputs, const std::string& path, const SparseWeights& weights,
                                  const WriteOptions& options, const FieldOutput& field) const {
  SKINCELLS_TRY(edited, state_->withWeights(weights, options));
  if (field.options.embed_field) SKINCELLS_CHECK(io::embedField(edited.json, field.bytes, state_->document.path));
  if (!field.options.field.empty()) SKINCELLS_CHECK(outputs.stage(field.options.field, field.bytes, options.force));
  return state_->stage(std::move(edited), path, options, outputs);
}

} // namespace skincells

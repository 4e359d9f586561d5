#include "skincells/io/point_cloud.h"

#include <algorithm>
#include <filesystem>

#include "base/parallel.h"
#include "base/read_file.h"
#include "base/try.h"
#include "io/ply/ply_file.h"
#include "io/ply/point_cloud_access.h"
#include "io/ply/skin.h"
#include "io/ply/splat_layout.h"

namespace skincells {

struct PointCloudFile::State {
  io::PlyFile ply;
  Mesh mesh;
  std::vector<Vec3f> normals;
  PointCloudInfo info;
  Warnings warnings;
  SparseWeights weights;
  std::vector<std::string> joint_names;
  bool is_file = false; // read from a file, not from memory
};

namespace {

// Three properties of every point as vectors.
std::vector<Vec3f> readVectors(const io::PlyFile& ply, std::span<const int> properties) {
  std::vector<Vec3f> out(ply.vertexCount());
  parallelChunks(out.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::vector<double> numbers(3 * (end - begin));
    ply.numbers(begin, end, properties, numbers);
    for (std::size_t v = begin; v < end; ++v) {
      const double* p = &numbers[3 * (v - begin)];
      out[v] = toFloat({p[0], p[1], p[2]});
    }
  });
  return out;
}

std::string formatName(io::PlyFormat format) {
  static constexpr const char* kNames[] = {"ascii", "binary little-endian", "binary big-endian"};
  return std::string("PLY, ") + kNames[static_cast<std::size_t>(format)];
}

PointCloudInfo describe(const io::PlyFile& ply) {
  PointCloudInfo info;
  info.path = ply.name();
  info.format = formatName(ply.header().format);
  info.byte_size = ply.byteSize();
  const io::SplatLayout layout = io::findSplatLayout(ply);
  info.has_normals = layout.hasNormals();
  info.splats = layout.isSplat();
  info.harmonics_degree = layout.degree;
  return info;
}

} // namespace

PointCloudFile::PointCloudFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
PointCloudFile::PointCloudFile(PointCloudFile&&) noexcept = default;
PointCloudFile& PointCloudFile::operator=(PointCloudFile&&) noexcept = default;
PointCloudFile::~PointCloudFile() = default;

Result<PointCloudFile> PointCloudFile::read(const std::string& path) {
  SKINCELLS_TRY(bytes, readFile(path));
  SKINCELLS_TRY(cloud, readPly(std::move(bytes), path));
  cloud.state_->is_file = true;
  return std::move(cloud);
}

Result<PointCloudFile> PointCloudFile::readPly(std::vector<std::uint8_t> bytes, const std::string& name) {
  SKINCELLS_TRY(ply, io::PlyFile::read(std::move(bytes), name));
  auto state = std::make_unique<State>(State{std::move(ply), {}, {}, {}, {}, {}, {}, false});
  const int position[3] = {state->ply.find("x"), state->ply.find("y"), state->ply.find("z")};
  state->mesh.positions = readVectors(state->ply, position);
  if (const io::SplatLayout layout = io::findSplatLayout(state->ply); layout.hasNormals() && !layout.isSplat())
    state->normals = readVectors(state->ply, layout.normal);
  SKINCELLS_TRY(triangles, state->ply.triangles());
  state->mesh.triangles = std::move(triangles);
  state->mesh.sections.push_back(
      {"vertex", name, 0, state->mesh.vertexCount(), 0, static_cast<std::uint32_t>(state->mesh.triangles.size())});
  state->info = describe(state->ply);
  if (const auto odd = io::oddHarmonics(state->ply)) state->warnings.push_back(*odd);
  SKINCELLS_TRY(names, io::readPlyJointNames(state->ply.header(), name));
  state->joint_names = std::move(names);
  SKINCELLS_TRY(weights, io::readPlyWeights(state->ply, io::findPlySkin(state->ply), state->joint_names.size()));
  state->weights = std::move(weights);
  return PointCloudFile(std::move(state));
}

const Mesh& PointCloudFile::mesh() const {
  return state_->mesh;
}
const std::vector<Vec3f>& PointCloudFile::normals() const {
  return state_->normals;
}
const PointCloudInfo& PointCloudFile::info() const {
  return state_->info;
}
const Warnings& PointCloudFile::warnings() const {
  return state_->warnings;
}
const SparseWeights& PointCloudFile::weights() const {
  return state_->weights;
}
const std::vector<std::string>& PointCloudFile::jointNames() const {
  return state_->joint_names;
}

const io::PlyFile& io::PointCloudAccess::plyFile(const PointCloudFile& file) {
  return file.state_->ply;
}

Result<void> PointCloudFile::write(const std::string& path, const SparseWeights& weights,
                                   const std::vector<std::string>& joint_names, const WriteOptions& options) const {
  OutputSet outputs;
  SKINCELLS_CHECK(write(outputs, path, weights, joint_names, options));
  return outputs.commit();
}

Result<void> PointCloudFile::write(OutputSet& outputs, const std::string& path, const SparseWeights& weights,
                                   const std::vector<std::string>& joint_names, const WriteOptions& options) const {
  if (weights.vertexCount() != mesh().positions.size())
    return Error{ErrorCode::Mismatch, "the weights are not for this cloud", path};
  const io::PlyEdit edit = io::plyWeightsEdit(state_->ply, weights, joint_names);
  if (state_->is_file) SKINCELLS_CHECK(outputs.addInput(state_->info.path));
  return io::stagePlyFile(state_->ply, edit, outputs, path, options.force);
}

bool isPlyPath(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension == ".ply";
}

} // namespace skincells

#include "targets.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "base/checksum.h"
#include "cli/option_file.h"
#include "io/ply/point_cloud_access.h"
#include "io/ply/skin.h"
#include "joints/joint_list.h"
#include "rig/motion/range_file.h"
#include "skincells/apply.h"
#include "skincells/bind.h"
#include "skincells/io/character_file.h"
#include "skincells/io/field_file.h"
#include "skincells/io/pose_file.h"
#include "skincells/jobs/check_job.h"
#include "skincells/jobs/inspect_job.h"
#include "skincells/report.h"
#include "skincells/runtime/skincells_field.h"

namespace skincells::fuzz {

bool readGlb(std::span<const std::uint8_t> bytes) {
  auto file = CharacterFile::readGlb(bytes, "fuzz.glb");
  if (!file) return true;
  // Small files may describe large characters, and the functions below would take too long.
  if (file->character().mesh.positions.size() > 20000 || file->character().skeleton.joints.size() > 2000) return true;
  documentOf(CheckOutcome{{}, checkSkin(*file)});
  for (std::size_t clip = 0; clip < file->clips().size() && clip < 4; ++clip) file->samplePose(clip, 0.5);
  // Writers copy data that the reader does not check.
  static_cast<void>(file->encodeGlb());
  const auto& triangles = file->character().mesh.triangles;
  std::vector<std::uint32_t> source(triangles.size() / 2);
  std::iota(source.begin(), source.end(), 0U);
  static_cast<void>(file->reduced(std::span(triangles).first(source.size()), source));
  documentOf(InspectOutcome{{}, inspectCharacter(std::move(*file))});
  return true;
}

bool readPly(std::span<const std::uint8_t> bytes) {
  const auto file = PointCloudFile::readPly({bytes.begin(), bytes.end()}, "fuzz.ply");
  if (!file) return true;
  SparseWeights weights(file->mesh().positions.size(), 1);
  for (float& w : weights.weights) w = 1;
  const io::PlyFile& ply = io::PointCloudAccess::plyFile(*file);
  std::vector<std::uint8_t> written;
  io::writePly(ply, io::plyWeightsEdit(ply, weights, {"joint"}), [&](auto piece) {
    written.insert(written.end(), piece.begin(), piece.end());
    return true;
  });
  const auto again = PointCloudFile::readPly(std::move(written), "again.ply");
  return again && again->mesh().positions == file->mesh().positions &&
         again->mesh().triangles == file->mesh().triangles && again->weights().weights == weights.weights;
}

bool readField(std::span<const std::uint8_t> data) {
  std::vector<std::uint8_t> bytes(data.begin(), data.end());
  if (bytes.size() >= 24) {
    const auto length = static_cast<std::uint32_t>(bytes.size());
    std::memcpy(bytes.data() + 20, &length, sizeof length);
    const std::uint32_t sum = crc32(std::span(bytes).subspan(16));
    std::memcpy(bytes.data() + 12, &sum, sizeof sum);
  }
  skc_field field;
  const bool runtime_accepts = skc_open(bytes.data(), bytes.size(), &field) == SKC_OK;
  if (runtime_accepts && field.joint_count * field.site_count < 4096) {
    std::vector<float> packed(skc_packed_size(&field) / sizeof(float));
    skc_pack(&field, packed.data());
    if (skc_evaluate(packed.data(), 0.1F, 0.2F, 0.3F, 0).count > SKC_MAX_INFLUENCES) return false;
  }
  const auto document = decodeField(bytes, "fuzz.skc");
  if (!document || document->field.layout.sites() > 4096) return true;
  const std::vector<Vec3f> points{{0, 0, 0}, {0.5F, 1, -0.25F}};
  static_cast<void>(evaluateField(*document, points));
  return decodeField(encodeField(*document), "again.skc").has_value();
}

namespace {

Skeleton smallSkeleton() {
  Skeleton skeleton;
  for (const char* name : {"hips", "spine", "arm.L", "arm.R"}) {
    Joint joint;
    joint.name = name;
    joint.parent = skeleton.jointCount() - 1;
    joint.bind = joint.rest = Affine::fromTranslation({0, 0.3 * skeleton.jointCount(), 0});
    skeleton.joints.push_back(joint);
  }
  return skeleton;
}

// A file for readers that take a path. Removed at the end of the process.
class InputFile {
public:
  explicit InputFile(const std::string& extension)
      : path_((std::filesystem::temp_directory_path() / ("skincells-fuzz-XXXXXX" + extension)).string()),
        file_(::mkstemps(path_.data(), static_cast<int>(extension.size()))) {}
  ~InputFile() {
    ::close(file_);
    ::unlink(path_.c_str());
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& holding(std::span<const std::uint8_t> bytes) const {
    const bool written = ::ftruncate(file_, 0) == 0 &&
                         ::pwrite(file_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
    if (!written) std::abort();
    return path_;
  }

private:
  std::string path_;
  int file_;
};

std::string_view textOf(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Bytes as numbers; zeros after the end.
class ByteSource {
public:
  explicit ByteSource(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::uint32_t next() { return at_ < bytes_.size() ? bytes_[at_++] : 0; }
  bool empty() const { return at_ >= bytes_.size(); }
  // Mostly near the origin, sometimes very far, tiny or in the same place as others.
  float coordinate() {
    const std::uint32_t b = next();
    const float value = (static_cast<float>(b & 63U) - 31.5F) / 16;
    constexpr float kScales[] = {1, 1e-6F, 1e3F, 1e9F};
    return value * kScales[b >> 6U];
  }

private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

bool isSound(const SparseWeights& weights, std::size_t vertex_count, int joint_count, int max_influences) {
  if (weights.vertexCount() != vertex_count || weights.slots != max_influences) return false;
  for (std::size_t v = 0; v < vertex_count; ++v) {
    double sum = 0;
    for (std::size_t k = 0; k < weights.weightRow(v).size(); ++k) {
      if (!(weights.weightRow(v)[k] >= 0) || weights.jointRow(v)[k] >= joint_count) return false;
      sum += static_cast<double>(weights.weightRow(v)[k]);
    }
    if (!(sum > 0.999 && sum < 1.001)) return false;
  }
  return true;
}

} // namespace

bool readRanges(std::span<const std::uint8_t> bytes) {
  const Skeleton skeleton = smallSkeleton();
  std::vector<JointMotion> motions(skeleton.joints.size());
  if (!rig::applyRanges(skeleton, textOf(bytes), "fuzz.json", motions)) return true;
  const auto inOrder = [](const AngleInterval& a) { return a.lo <= a.hi && a.lo >= -180 && a.hi <= 180; };
  return std::ranges::all_of(motions, [&](const JointMotion& m) {
    return inOrder(m.range.swing) && inOrder(m.range.twist) && isFinite(m.range.axis);
  });
}

bool readJointList(std::span<const std::uint8_t> bytes) {
  const Skeleton skeleton = smallSkeleton();
  const auto decisions = joints::chooseByList(skeleton, textOf(bytes), "fuzz.txt");
  return !decisions || decisions->size() == skeleton.joints.size();
}

bool readPoses(std::span<const std::uint8_t> bytes) {
  static const InputFile input(".json");
  const Skeleton skeleton = smallSkeleton();
  const auto file = readPoseFile(input.holding(bytes), skeleton);
  if (!file) return true;
  const auto isWhole = [&](const Pose& pose) {
    return pose.size() == skeleton.joints.size() && std::ranges::all_of(pose, &Affine::isFinite);
  };
  return !file->sets.empty() &&
         std::ranges::all_of(file->sets, [&](const PoseSet& set) { return std::ranges::all_of(set.poses, isWhole); });
}

bool readOptions(std::span<const std::uint8_t> bytes) {
  static const InputFile input(".json");
  static const cli::CommandHelp command = [] {
    cli::CommandHelp help{"bind", "", {}};
    for (const auto& o : bindOptionTable())
      help.entries.push_back({"--" + o.name, o.kind == OptionKind::Flag ? "" : "VALUE", o.help});
    return help;
  }();
  const auto words = cli::wordsOfOptionFile(input.holding(bytes), command, {"--seed=3"});
  if (!words) return true;
  BindOptions options;
  for (const std::string& word : *words) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(2, equals - 2);
    const auto option = std::ranges::find_if(bindOptionTable(), [&](const auto& o) { return o.name == name; });
    if (option == bindOptionTable().end() || name == "seed") return false;
    if (!option->set(options, equals == std::string::npos ? "true" : word.substr(equals + 1))) return true;
  }
  return options::validate(bindOptionTable(), options).has_value();
}

namespace {

bool readForeign(const InputFile& input, std::span<const std::uint8_t> bytes) {
  const auto file = CharacterFile::read(input.holding(bytes));
  if (!file) return true;
  const Mesh& mesh = file->character().mesh;
  return std::ranges::all_of(mesh.positions, [](const Vec3f& p) { return isFinite(toDouble(p)); }) &&
         std::ranges::all_of(mesh.triangles,
                             [&](const Triangle& t) { return std::ranges::max(t) < mesh.vertexCount(); });
}

} // namespace

bool readObj(std::span<const std::uint8_t> bytes) {
  static const InputFile input(".obj");
  return readForeign(input, bytes);
}

bool readFbx(std::span<const std::uint8_t> bytes) {
  static const InputFile input(".fbx");
  return readForeign(input, bytes);
}

bool bindSoup(std::span<const std::uint8_t> bytes) {
  ByteSource source(bytes);
  constexpr BindMethod kMethods[] = {BindMethod::SkinCells, BindMethod::Heat, BindMethod::Proximity};
  BindOptions options;
  options.method = kMethods[source.next() % 3];
  options.quality = BindQuality::Draft;
  options.joints = source.next() % 2 == 0 ? "all" : "auto";
  options.max_influences = 1 + static_cast<int>(source.next() % kMaxInfluences);
  Character c;
  const int joint_count = 1 + static_cast<int>(source.next() % 12);
  for (int j = 0; j < joint_count; ++j) {
    Joint joint;
    joint.name = "joint" + std::to_string(j);
    joint.parent = j == 0 ? kNoParent : static_cast<int>(source.next() % static_cast<std::uint32_t>(j + 1)) - 1;
    const double x = source.coordinate(), y = source.coordinate(), z = source.coordinate();
    joint.bind = joint.rest = Affine::fromTranslation({x, y, z});
    c.skeleton.joints.push_back(joint);
  }
  const std::uint32_t vertex_count = 1 + source.next() % 80;
  for (std::uint32_t v = 0; v < vertex_count; ++v) {
    const float x = source.coordinate(), y = source.coordinate(), z = source.coordinate();
    c.mesh.positions.push_back({x, y, z});
  }
  while (!source.empty() && c.mesh.triangles.size() < 200) {
    const std::uint32_t a = source.next() % vertex_count, b = source.next() % vertex_count;
    c.mesh.triangles.push_back({a, b, source.next() % vertex_count});
  }
  const auto result = bind(c, options);
  if (!result) return result.error().code == ErrorCode::NoJoints; // the rules may leave no joint
  return isSound(result->weights, vertex_count, joint_count, options.max_influences);
}

} // namespace skincells::fuzz

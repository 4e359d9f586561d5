#include "skincells/lod.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>

#include "base/try.h"
#include "bind/weight_transfer.h"
#include "deform/lbs.h"
#include "derive/influence_reduction.h"
#include "derive/joint_merge.h"
#include "derive/level_list.h"
#include "derive/surface_distance.h"
#include "mesh/decimate.h"
#include "skincells/apply.h"
#include "skincells/field_file.h"

namespace skincells {
namespace {

using namespace derive;

constexpr std::size_t kShapePoses = 6;        // that decimation looks at, beside the bind pose
constexpr double kNearEnough = 1.25;          // a level with so many times its triangles will do without crossing seams
constexpr std::uint64_t kTrainingStream = 77; // poses that decide are not those that measure

// Poses spread over all clips, by time.
std::vector<Pose> clipPoses(const CharacterFile& file, int count) {
  double total = 0;
  for (const ClipInfo& clip : file.clips()) total += clip.duration;
  std::vector<Pose> out;
  for (int i = 0; i < count && total > 0; ++i) {
    double time = total * (i + 0.5) / count;
    std::size_t clip = 0;
    for (; clip + 1 < file.clips().size() && time > file.clips()[clip].duration; ++clip)
      time -= file.clips()[clip].duration;
    out.push_back(file.samplePose(clip, time));
  }
  return out;
}

std::vector<Pose> posesFor(const CharacterFile& file, const LodOptions& options, std::uint64_t seed) {
  RandomPoseOptions random;
  random.count = options.random_poses;
  random.max_angle = options.random_angle;
  random.seed = seed;
  std::vector<Pose> poses =
      options.random_poses > 0 ? randomPoses(file.character().skeleton, random) : std::vector<Pose>{};
  for (Pose& pose : clipPoses(file, options.clip_poses)) poses.push_back(std::move(pose));
  return poses;
}

std::string pathOfLevel(const std::string& output, std::size_t level) {
  if (level == 0) return output;
  const std::filesystem::path path(output);
  return (path.parent_path() / (path.stem().string() + "_lod" + std::to_string(level) + path.extension().string()))
      .string();
}

class LodBuilder {
public:
  LodBuilder(const CharacterFile& file, const LodJob& job, const ProgressFunction& progress)
      : file_(file), job_(job), progress_(progress) {}

  Result<LodResult> run() {
    SKINCELLS_CHECK(options::validate(lodOptionTable(), job_.options));
    SKINCELLS_TRY(levels, parseLevels(job_.options));
    levels_ = std::move(levels);
    for (std::size_t l = 0; l < levels_.size(); ++l)
      SKINCELLS_CHECK(checkOutputPath(pathOfLevel(job_.output, l), job_.write));
    out_.input = file_.info().path;
    out_.warnings = file_.warnings();
    SKINCELLS_CHECK(prepare());
    out_.pose_count = static_cast<int>(measured_.size());
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      if (progress_ && !progress_("level " + std::to_string(l),
                                  0.5 + 0.5 * static_cast<double>(l) / static_cast<double>(levels_.size())))
        return Error{ErrorCode::Cancelled, "stopped before there was a result", ""};
      SKINCELLS_CHECK(build(l));
    }
    for (std::size_t l = 0; l < levels_.size(); ++l)
      SKINCELLS_CHECK((files_[l] ? *files_[l] : file_).write(out_.levels[l].path, weights_[l], job_.write));
    return std::move(out_);
  }

private:
  using Clock = std::chrono::steady_clock;

  void addTime(const std::string& stage, Clock::time_point since) {
    out_.timings.push_back({stage, std::chrono::duration<double>(Clock::now() - since).count()});
  }

  // The field, the weights of level 0, and poses to decide and to measure in.
  Result<void> prepare() {
    const auto start = Clock::now();
    if (job_.field.empty())
      SKINCELLS_CHECK(bindOnce());
    else
      SKINCELLS_CHECK(takeField());
    addTime(job_.field.empty() ? "bind" : "apply", start);
    measured_ = posesFor(file_, job_.options, job_.bind.seed);
    training_ = posesFor(file_, job_.options, job_.bind.seed + kTrainingStream);
    startDecimation();
    return {};
  }

  Result<void> bindOnce() {
    BindOptions options = job_.bind;
    options.max_influences = 1;
    for (const LevelWish& level : levels_) options.max_influences = std::max(options.max_influences, level.influences);
    const auto half = [&](std::string_view stage, double done) { return !progress_ || progress_(stage, done / 2); };
    SKINCELLS_TRY(bound, bind(file_.character(), options, half));
    if (!bound.field)
      return Error{ErrorCode::InvalidOption, "levels take their weights from a field; choose skin-cells", "--method"};
    out_.warnings.insert(out_.warnings.end(), bound.report.warnings.begin(), bound.report.warnings.end());
    field_ = describeField(file_.character(), bound, out_.warnings);
    full_ = std::move(bound.weights);
    return {};
  }

  Result<void> takeField() {
    SKINCELLS_TRY(field, readFieldFile(job_.field));
    field_ = std::move(field);
    SKINCELLS_TRY(applied, applyField(field_, file_.character()));
    full_ = std::move(applied.weights);
    out_.warnings.insert(out_.warnings.end(), applied.warnings.begin(), applied.warnings.end());
    return {};
  }

  void startDecimation() {
    const Mesh& mesh = file_.character().mesh;
    weld_ = weldByPosition(mesh.positions, 0);
    // A few poses, spread over the random ones and those of clips.
    std::vector<std::vector<Vec3f>> shapes{mesh.positions};
    const std::size_t count = std::min(kShapePoses, training_.size());
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<Vec3f> posed(mesh.positions.size());
      deform::skin(mesh.positions, full_, training_[i * training_.size() / count], posed);
      shapes.push_back(std::move(posed));
    }
    decimator_.emplace(mesh, weld_, shapes);
  }

  Result<void> build(std::size_t l) {
    const auto start = Clock::now();
    const LevelWish& wish = levels_[l];
    LodLevel level;
    level.path = pathOfLevel(job_.output, l);
    level.ratio = wish.ratio;
    level.max_influences = wish.influences;
    files_.emplace_back();
    if (wish.ratio < 1) SKINCELLS_CHECK(simplify(l));
    const Character& c = (files_[l] ? *files_[l] : file_).character();
    SKINCELLS_TRY(rows, rowsOf(c, wish.ratio < 1));
    const double diagonal = file_.character().mesh.bounds().diagonal();
    if (wish.joints > 0)
      level.merged = mergeJoints(c.mesh.positions, c.skeleton, training_, wish.joints, diagonal, rows);
    weights_.push_back(reduceInfluences(c.mesh.positions, rows, training_, wish.influences));
    level.vertex_count = c.mesh.vertexCount();
    level.triangle_count = static_cast<std::uint32_t>(c.mesh.triangles.size());
    level.joint_count = countWeighted(weights_[l], c.skeleton.jointCount());
    measure(c.mesh, weights_[l], wish.influences, level);
    out_.levels.push_back(std::move(level));
    addTime("level " + std::to_string(l), start);
    return {};
  }

  // The file with the triangles of a level.
  Result<void> simplify(std::size_t l) {
    const auto whole = static_cast<double>(file_.character().mesh.triangles.size());
    const auto wanted = static_cast<std::size_t>(std::llround(levels_[l].ratio * whole));
    decimator_->reduceTo(wanted);
    if (static_cast<double>(decimator_->triangleCount()) > kNearEnough * static_cast<double>(wanted)) {
      const std::size_t before = decimator_->triangleCount();
      decimator_->reduceTo(wanted, mesh::Seams::Cross);
      if (decimator_->triangleCount() < before)
        out_.warnings.push_back({"lod.seams_crossed",
                                 "level " + std::to_string(l) +
                                     " gives up some seams of textures or hard edges: there are too many to keep",
                                 file_.info().path});
    }
    if (static_cast<double>(decimator_->triangleCount()) > kNearEnough * static_cast<double>(wanted))
      out_.warnings.push_back({"lod.too_many_triangles",
                               "level " + std::to_string(l) + " has " + std::to_string(decimator_->triangleCount()) +
                                   " triangles where " + std::to_string(wanted) +
                                   " were asked for; fewer would tear its parts",
                               file_.info().path});
    const mesh::Decimated d = decimator_->result();
    SKINCELLS_TRY(reduced, file_.reduced(d.triangles, d.source));
    files_[l].emplace(std::move(reduced));
    return {};
  }

  // Weights of the one field, with as many influences as it has.
  Result<SparseWeights> rowsOf(const Character& c, bool simplified) {
    if (!simplified) return full_;
    SKINCELLS_TRY(applied, applyField(field_, c));
    return std::move(applied.weights);
  }

  void measure(const Mesh& mesh, const SparseWeights& weights, int influences, LodLevel& level) const {
    const Mesh& original = file_.character().mesh;
    const double diagonal = original.bounds().diagonal();
    const SkinnedSurface reference{&original, &full_};
    const std::vector<Pose> rest{bindPose(file_.character().skeleton)};
    level.geometry = surfaceDistance(reference, {&mesh, &weights}, rest, diagonal);
    level.posed = surfaceDistance(reference, {&mesh, &weights}, measured_, diagonal);
    if (original.triangles.empty()) return;
    const auto places = binding::closestPlaces(original, mesh.positions);
    const SparseWeights copied = binding::interpolateRows(original, full_, places, influences);
    level.closest_point = surfaceDistance(reference, {&mesh, &copied}, measured_, diagonal);
  }

  const CharacterFile& file_;
  const LodJob& job_;
  const ProgressFunction& progress_;
  LodResult out_;
  std::vector<LevelWish> levels_;
  FieldDocument field_;
  SparseWeights full_; // of level 0, before influences are cut
  std::vector<Pose> measured_, training_;
  Weld weld_;
  std::optional<mesh::Decimator> decimator_;
  std::vector<std::optional<CharacterFile>> files_; // by level; none: the input itself
  std::vector<SparseWeights> weights_;              // by level
};

} // namespace

Result<LodResult> writeLods(const CharacterFile& file, const LodJob& job, const ProgressFunction& progress) {
  return LodBuilder(file, job, progress).run();
}

} // namespace skincells

#include "skincells/jobs/lod_job.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>
#include <optional>

#include "base/try.h"
#include "deform/lbs.h"
#include "io/clip_poses.h"
#include "jobs/fitting_file.h"
#include "jobs/option_file.h"
#include "jobs/run_alone.h"
#include "levels/joint_merge.h"
#include "levels/level_list.h"
#include "levels/level_weights.h"
#include "levels/surface_distance.h"
#include "mesh/decimate.h"
#include "mesh/surface_points.h"
#include "skincells/apply.h"
#include "skincells/io/field_file.h"
#include "weights/interpolate.h"

namespace skincells {
namespace {

using namespace levels;

constexpr std::size_t kShapePoses = 6;      // poses that guide decimation, besides the bind pose
constexpr double kTriangleTolerance = 1.25; // more triangles than this times the requested number cause a warning
// Training, choosing and measuring use different poses: other random streams, other times in the clips.
constexpr std::uint64_t kTrainingStream = 77, kChoosingStream = 78;
constexpr double kMeasuredPhase = 0.5, kTrainingPhase = 0, kChoosingPhase = 0.25;
constexpr int kTrainingPoses = 12, kChoosingPoses = 6; // number of random poses, and of clip poses
constexpr double kGeometryShares[] = {0, 0.5, 1};      // LevelFit::bySurface; the best value differs from mesh to mesh

// Poses at evenly spaced times of all clips together.
std::vector<Pose> clipPoses(const CharacterFile& file, int count, double phase) {
  double total = 0;
  for (const ClipInfo& clip : file.clips()) total += clip.duration;
  std::vector<Pose> out;
  for (int i = 0; i < count && total > 0; ++i) {
    double time = total * (i + phase) / count;
    std::size_t clip = 0;
    for (; clip + 1 < file.clips().size() && time > file.clips()[clip].duration; ++clip)
      time -= file.clips()[clip].duration;
    out.push_back(io::movedPose(file.info().bind_from_scene, file.samplePose(clip, time)));
  }
  return out;
}

std::vector<Pose> posesFor(const CharacterFile& file, const RandomPoseOptions& random, int clip_count, double phase) {
  std::vector<Pose> poses = random.count > 0 ? randomPoses(file.character().skeleton, random) : std::vector<Pose>{};
  for (Pose& pose : clipPoses(file, clip_count, phase)) poses.push_back(std::move(pose));
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
  LodBuilder(const CharacterFile& file, const LodJob& job, OutputSet& outputs, const ProgressFunction& progress)
      : file_(file), job_(job), outputs_(outputs), progress_(progress) {}

  Result<LodResult> run() {
    SKINCELLS_CHECK(options::validate(lodOptionTable(), job_.lod));
    SKINCELLS_TRY(levels, parseLevels(job_.lod));
    levels_ = std::move(levels);
    SKINCELLS_CHECK(declareLevels());
    out_.warnings = file_.warnings();
    SKINCELLS_CHECK(prepare());
    out_.pose_count = static_cast<int>(measured_.size());
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      const double done = 0.5 + 0.5 * static_cast<double>(l) / static_cast<double>(levels_.size());
      if (progress_ && !progress_({"level " + std::to_string(l), done}))
        return Error{ErrorCode::Cancelled, "cancelled before there was a result", ""};
      SKINCELLS_CHECK(build(l));
    }
    SKINCELLS_CHECK(job_.lod.single_file ? writeTogether() : writeApart());
    return std::move(out_);
  }

private:
  using Clock = std::chrono::steady_clock;

  Result<void> declareLevels() {
    SKINCELLS_CHECK(options::validate(writeOptionTable(), job_.write));
    SKINCELLS_CHECK(file_.checkOutput(job_.output));
    SKINCELLS_CHECK(outputs_.addInputs(file_.info().resources));
    const std::size_t count = job_.lod.single_file ? 1 : levels_.size();
    for (std::size_t l = 0; l < count; ++l)
      SKINCELLS_CHECK(outputs_.addOutput(pathOfLevel(job_.output, l), job_.write.force));
    return {};
  }

  void addTime(const std::string& stage, Clock::time_point since) {
    out_.timings.push_back({stage, std::chrono::duration<double>(Clock::now() - since).count()});
  }

  const CharacterFile& fileOf(std::size_t l) const { return files_[l] ? *files_[l] : file_; }

  Result<void> writeApart() const {
    for (std::size_t l = 0; l < levels_.size(); ++l)
      SKINCELLS_CHECK(fileOf(l).write(outputs_, out_.levels[l].path, weights_[l], job_.write));
    return {};
  }

  Result<void> writeTogether() const {
    std::vector<CoarserLevel> coarser;
    std::vector<double> coverage;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      coverage.push_back(levels_[l].coverage);
      if (l > 0) coarser.push_back({&fileOf(l), &weights_[l]});
    }
    return fileOf(0).writeLevels(outputs_, job_.output, weights_[0], coarser, coverage, job_.write);
  }

  // Weights of level 0, and the poses for training, choosing and measuring.
  Result<void> prepare() {
    const auto start = Clock::now();
    if (job_.field.empty())
      SKINCELLS_CHECK(bindOnce());
    else
      SKINCELLS_CHECK(takeField());
    addTime(job_.field.empty() ? "bind" : "apply", start);
    const LodOptions& o = job_.lod;
    measured_ = posesFor(file_, {o.random_poses, o.random_angle, job_.bind.seed}, o.clip_poses, kMeasuredPhase);
    const auto deciding = [&](int count, std::uint64_t stream, double phase) {
      return posesFor(file_, {count, o.random_angle, job_.bind.seed + stream}, count, phase);
    };
    training_ = deciding(kTrainingPoses, kTrainingStream, kTrainingPhase);
    choosing_ = deciding(kChoosingPoses, kChoosingStream, kChoosingPhase);
    startDecimation();
    return {};
  }

  Result<void> bindOnce() {
    BindOptions options = job_.bind;
    options.max_influences = 1;
    for (const LevelTarget& level : levels_)
      options.max_influences = std::max(options.max_influences, level.influences);
    const auto half = [&](const Progress& p) { return !progress_ || progress_({p.stage, p.fraction / 2}); };
    SKINCELLS_TRY(bound, bind(file_.character(), options, half));
    out_.warnings.insert(out_.warnings.end(), bound.report.warnings.begin(), bound.report.warnings.end());
    full_ = std::move(bound.weights);
    return {};
  }

  Result<void> takeField() {
    SKINCELLS_TRY(field, readFieldFile(job_.field));
    SKINCELLS_TRY(applied, applyField(field, file_.character()));
    full_ = std::move(applied.weights);
    out_.warnings.insert(out_.warnings.end(), applied.warnings.begin(), applied.warnings.end());
    return {};
  }

  void startDecimation() {
    const Mesh& mesh = file_.character().mesh;
    weld_ = weldByPosition(mesh.positions, 0);
    welded_ = weldedMesh(mesh, weld_);
    welded_rows_ = gatherRows(full_, weld_.first_vertex);
    shape_.original = &welded_;
    shape_.survivor.resize(weld_.weldedCount());
    std::iota(shape_.survivor.begin(), shape_.survivor.end(), 0U);
    // A few of the training poses, random ones and clip poses.
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
    const LevelTarget& wish = levels_[l];
    LodLevel level;
    level.path = job_.lod.single_file ? job_.output : pathOfLevel(job_.output, l);
    level.screen_coverage = wish.coverage;
    level.ratio = wish.ratio;
    level.max_influences = wish.influences;
    files_.emplace_back();
    if (wish.ratio < 1) SKINCELLS_CHECK(simplify(l));
    const Character& c = fileOf(l).character();
    weights_.push_back(weightsOf(c.mesh, wish, level));
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
    const std::size_t crossed_before = decimator_->crossedSeams();
    decimator_->reduceTo(wanted, mesh::Seams::Cross);
    if (decimator_->crossedSeams() > crossed_before)
      out_.warnings.push_back(
          {"lod.seams_crossed",
           "level " + std::to_string(l) +
               " merges across some texture seams or hard edges, because keeping them would cost more shape",
           file_.info().path});
    if (static_cast<double>(decimator_->triangleCount()) > kTriangleTolerance * static_cast<double>(wanted))
      out_.warnings.push_back({"lod.too_many_triangles",
                               "level " + std::to_string(l) + " has " + std::to_string(decimator_->triangleCount()) +
                                   " triangles instead of " + std::to_string(wanted) +
                                   "; with fewer it would tear or lose parts",
                               file_.info().path});
    mesh::Decimated d = decimator_->result();
    shape_.survivor = std::move(d.survivor);
    SKINCELLS_TRY(reduced, file_.reduced(d.triangles, d.source));
    files_[l].emplace(std::move(reduced));
    return {};
  }

  SparseWeights weightsOf(const Mesh& mesh, const LevelTarget& wish, LodLevel& level) {
    if (wish.ratio == 1 && wish.joints == 0 && wish.influences >= full_.slots) return full_;
    const Skeleton& skeleton = file_.character().skeleton;
    SparseWeights allowed = welded_rows_;
    if (wish.joints > 0)
      level.merged = mergeJoints(welded_.positions, skeleton, training_, wish.joints,
                                 file_.character().mesh.bounds().diagonal(), allowed);
    const auto place = shape_.take(mesh);
    const LevelFit fit(shape_, welded_rows_, allowed, training_, wish.influences);
    std::vector<SparseWeights> candidates{gatherRows(fit.byVertex(), place)};
    for (const double geometry : kGeometryShares) candidates.push_back(gatherRows(fit.bySurface(geometry), place));
    return bestOf(mesh, std::move(candidates));
  }

  // The candidate with the smallest distance to level 0 in the choosing poses; the first one on a tie.
  SparseWeights bestOf(const Mesh& mesh, std::vector<SparseWeights> candidates) const {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const SkinnedSurface reference{&file_.character().mesh, &full_};
      const double error = surfaceDistance(reference, {&mesh, &candidates[i]}, choosing_, 1).rms_percent;
      if (error < least) {
        best = i;
        least = error;
      }
    }
    return std::move(candidates[best]);
  }

  void measure(const Mesh& mesh, const SparseWeights& weights, int influences, LodLevel& level) const {
    const Mesh& original = file_.character().mesh;
    const double diagonal = original.bounds().diagonal();
    const SkinnedSurface reference{&original, &full_};
    const std::vector<Pose> rest{bindPose(file_.character().skeleton)};
    level.geometry = surfaceDistance(reference, {&mesh, &weights}, rest, diagonal);
    level.posed = surfaceDistance(reference, {&mesh, &weights}, measured_, diagonal);
    if (original.triangles.empty()) return;
    const auto places = mesh::closestPoints(original, mesh.positions);
    const SparseWeights copied = weights::interpolateRows(original, full_, places, influences);
    level.closest_point = surfaceDistance(reference, {&mesh, &copied}, measured_, diagonal);
  }

  const CharacterFile& file_;
  const LodJob& job_;
  OutputSet& outputs_;
  const ProgressFunction& progress_;
  LodResult out_;
  std::vector<LevelTarget> levels_;
  SparseWeights full_; // weights of level 0 before influences are reduced
  std::vector<Pose> measured_, training_, choosing_;
  Weld weld_;
  Mesh welded_;               // level 0
  SparseWeights welded_rows_; // full_ on the welded mesh
  LevelShape shape_;          // shape of the current level
  std::optional<mesh::Decimator> decimator_;
  std::vector<std::optional<CharacterFile>> files_; // by level; nothing: the input itself
  std::vector<SparseWeights> weights_;              // by level
};

} // namespace

Result<LodResult> writeLods(const CharacterFile& file, const LodJob& job, const ProgressFunction& progress) {
  OutputSet outputs;
  SKINCELLS_TRY(result, writeLods(file, job, outputs, progress));
  SKINCELLS_CHECK(outputs.commit());
  return std::move(result);
}

Result<LodResult> writeLods(const CharacterFile& file, const LodJob& job, OutputSet& outputs,
                            const ProgressFunction& progress) {
  if (file.info().level_count == 1) return LodBuilder(file, job, outputs, progress).run();
  SKINCELLS_TRY(single, file.withOneLevel());
  SKINCELLS_TRY(result, LodBuilder(single, job, outputs, progress).run());
  result.warnings.push_back({"lod.levels_replaced",
                             "had " + std::to_string(file.info().level_count) +
                                 " levels of detail; all are replaced by new ones, made from the level that was read",
                             file.info().path});
  return std::move(result);
}

JobFiles filesOf(const LodJob& job) {
  return {{job.input, job.field, job.read.rig, jobs::optionFile(job.bind.joints), jobs::optionFile(job.bind.rom)},
          {}, // the levels, known when the options are parsed
          job.write.force};
}

Result<LodOutcome> run(const LodJob& job, OutputSet& outputs, const ProgressFunction& progress) {
  SKINCELLS_CHECK(declareFiles(filesOf(job), outputs));
  SKINCELLS_TRY(file, CharacterFile::read(job.input, job.read));
  SKINCELLS_CHECK(jobs::requireFit(file));
  SKINCELLS_TRY(result, writeLods(file, job, outputs, progress));
  return LodOutcome{job, std::move(file), std::move(result)};
}

Result<LodOutcome> run(const LodJob& job, const ProgressFunction& progress) {
  return jobs::runAlone<LodOutcome>(job, progress);
}

} // namespace skincells

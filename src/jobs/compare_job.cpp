#include "skincells/jobs/compare_job.h"

#include "base/try.h"
#include "io/clip_poses.h"
#include "jobs/read_all.h"
#include "jobs/run_alone.h"
#include "jobs/same_mesh.h"
#include "jobs/worn.h"
#include "skincells/bleeding.h"
#include "skincells/io/pose_file.h"

namespace skincells {
namespace {

Result<std::vector<PoseSet>> posesFor(const CharacterFile& reference, const CompareOptions& options,
                                      Warnings& warnings) {
  if (!options.poses.empty()) {
    SKINCELLS_TRY(file, readPoseFile(options.poses, reference.character().skeleton));
    warnings.insert(warnings.end(), file.warnings.begin(), file.warnings.end());
    return std::move(file.sets);
  }
  std::vector<PoseSet> sets;
  if (options.random_poses > 0)
    sets.push_back({"random", randomPoses(reference.character().skeleton,
                                          {options.random_poses, options.random_angle, options.seed})});
  PoseSet clip{"clip", {}};
  for (io::ClipPose& p :
       io::clipPoses(reference, options.frames_per_second, static_cast<std::size_t>(options.clip_poses)))
    clip.poses.push_back(std::move(p.pose));
  if (!clip.poses.empty()) sets.push_back(std::move(clip));
  if (sets.empty())
    return Error{ErrorCode::InvalidOption,
                 "no poses to compare in: the reference has no clips, and the number of random poses is 0",
                 "--random-poses"};
  return sets;
}

} // namespace

const OptionTable<CompareOptions>& compareOptionTable() {
  static const OptionTable<CompareOptions> table{
      options::text("pose-file", &CompareOptions::poses, "a file",
                    "pose file (docs/formats.md); without it, random poses and the reference's clips are used"),
      options::integer("random-poses", &CompareOptions::random_poses, 0, 10000, "number of random poses"),
      options::real("random-angle", &CompareOptions::random_angle, 0.0, 180.0,
                    "largest rotation of a joint in a random pose, in degrees"),
      options::real("fps", &CompareOptions::frames_per_second, 0.1, 240.0,
                    "sampling rate of clips, in frames per second"),
      options::integer("clip-poses", &CompareOptions::clip_poses, 0, 100000,
                       "largest number of poses taken from clips, evenly spaced"),
      options::integer("seed", &CompareOptions::seed, 0, std::int64_t{1} << 62U, "seed of the random poses"),
      options::real("max-rms", &CompareOptions::max_rms, 0.0, 1e6,
                    "end with exit code 5 if a skin is farther away in any set of poses: rms distance in % of the "
                    "diagonal; 0: no limit"),
  };
  return table;
}

Result<CompareResult> compareSkins(const CharacterFile& reference, const std::vector<const CharacterFile*>& others,
                                   const CompareOptions& options) {
  SKINCELLS_CHECK(options::validate(compareOptionTable(), options));
  const Character& r = reference.character();
  if (r.weights.empty()) return Error{ErrorCode::Mismatch, "the reference has no weights", reference.info().path};
  CompareResult result;
  result.reference_path = reference.info().path;
  SKINCELLS_TRY(sets, posesFor(reference, options, result.warnings));
  for (const PoseSet& s : sets)
    result.reference_shape.push_back(
        {s.label, static_cast<int>(s.poses.size()), {}, shapeStatistics(r.mesh, r.weights, s.poses)});
  result.reference_bleeding_percent = measureBleeding(r.mesh, r.weights, r.skeleton).percent;
  SKINCELLS_TRY(weights, jobs::weightsOfAll(reference, others));
  for (std::size_t i = 0; i < others.size(); ++i)
    result.others.push_back({others[i]->info().path, compareWeights(r.mesh, r.weights, weights[i + 1], sets),
                             measureBleeding(r.mesh, weights[i + 1], r.skeleton).percent});
  return result;
}

bool exceeds(const CompareResult& result, double max_rms) {
  if (max_rms <= 0) return false;
  for (const ComparedFile& file : result.others)
    for (const PoseSetComparison& set : file.result.sets)
      if (!(set.error.rms <= max_rms)) return true;
  return false;
}

JobFiles filesOf(const CompareJob& job) {
  JobFiles files{job.others, {}};
  files.inputs.push_back(job.reference);
  files.inputs.push_back(job.compare.poses);
  for (std::string& path : job.wear.bodies()) files.inputs.push_back(std::move(path));
  return files;
}

Result<CompareOutcome> run(const CompareJob& job, OutputSet& outputs, const ProgressFunction&) {
  SKINCELLS_CHECK(declareFiles(filesOf(job), outputs));
  SKINCELLS_TRY(files, jobs::readSkins(job.reference, job.others, outputs));
  SKINCELLS_TRY(result, compareSkins(files.front(), jobs::othersOf(files), job.compare));
  if (!job.wear.wanted()) return CompareOutcome{job, std::move(result)};
  SKINCELLS_TRY(weights, jobs::weightsOfAll(files.front(), jobs::othersOf(files)));
  std::vector<jobs::NamedSkin> skins;
  for (std::size_t i = 0; i < files.size(); ++i) skins.push_back({files[i].info().path, &weights[i]});
  SKINCELLS_TRY(worn, jobs::measureWorn(job.wear, files.front().character(), skins, outputs));
  result.warnings.insert(result.warnings.end(), worn.warnings.begin(), worn.warnings.end());
  return CompareOutcome{job, std::move(result), std::move(worn.garments)};
}

Result<CompareOutcome> run(const CompareJob& job, const ProgressFunction& progress) {
  return jobs::runAlone<CompareOutcome>(job, progress);
}

} // namespace skincells

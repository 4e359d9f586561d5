// Skins of one mesh against each other.
#include "base/try.h"
#include "io/clip_poses.h"
#include "jobs/same_mesh.h"
#include "report/skin_summary.h"
#include "skincells/io/pose_file.h"
#include "skincells/report.h"
#include "text/table.h"

namespace skincells {
namespace {

using namespace report;

Result<std::vector<PoseSet>> posesFor(const CharacterFile& reference, const CompareOptions& options,
                                      Warnings& warnings) {
  if (!options.poses.empty()) {
    SKINCELLS_TRY(file, readPoseFile(options.poses, reference.character().skeleton));
    warnings.insert(warnings.end(), file.warnings.begin(), file.warnings.end());
    return std::move(file.sets);
  }
  std::vector<PoseSet> sets;
  RandomPoseOptions random;
  random.count = options.random_poses;
  random.max_angle = options.random_angle;
  random.seed = options.seed;
  if (options.random_poses > 0) sets.push_back({"random", randomPoses(reference.character().skeleton, random)});
  PoseSet clip{"clip", {}};
  for (io::ClipPose& p :
       io::clipPoses(reference, options.frames_per_second, static_cast<std::size_t>(options.clip_poses)))
    clip.poses.push_back(std::move(p.pose));
  if (!clip.poses.empty()) sets.push_back(std::move(clip));
  if (sets.empty())
    return Error{ErrorCode::InvalidOption, "there are no poses to compare in: no clips, and no random poses asked for",
                 "--random-poses"};
  return sets;
}

Json setJson(const PoseSetComparison& s) {
  return {{"label", s.label},           {"poses", s.pose_count},      {"rms_percent", s.error.rms},
          {"p95_percent", s.error.p95}, {"max_percent", s.error.max}, {"shape", toJson(s.shape)}};
}

std::vector<std::string> row(const std::string& name, const PoseSetComparison& s, bool is_reference) {
  const auto error = [&](double v) { return is_reference ? std::string("-") : text::fixed(v, 2); };
  return {name,
          s.label,
          std::to_string(s.pose_count),
          error(s.error.rms),
          error(s.error.p95),
          error(s.error.max),
          text::fixed(s.shape.stretch_rms, 3),
          text::fixed(s.shape.stretch_p99, 2),
          text::fixed(s.shape.extreme_edges_percent, 2),
          text::fixed(s.shape.flipped_percent, 2),
          text::fixed(s.shape.volume_percent, 1),
          text::fixed(s.shape.tear_percent, 2)};
}

} // namespace

const OptionTable<CompareOptions>& compareOptionTable() {
  static const OptionTable<CompareOptions> table{
      options::text("poses", &CompareOptions::poses, "a file",
                    "pose file (docs/formats.md); without it, random poses and the reference's clips are used"),
      options::integer("random-poses", &CompareOptions::random_poses, 0, 10000, "how many random poses"),
      options::real("random-angle", &CompareOptions::random_angle, 0.0, 180.0,
                    "largest turn of a joint in a random pose, in degrees"),
      options::real("fps", &CompareOptions::frames_per_second, 0.1, 240.0,
                    "how densely clips are sampled, in frames a second"),
      options::integer("clip-poses", &CompareOptions::clip_poses, 0, 100000,
                       "most poses taken from clips, spread evenly over them"),
      options::integer("seed", &CompareOptions::seed, 0, std::int64_t{1} << 62U, "of the random poses"),
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
  for (const CharacterFile* other : others) {
    SKINCELLS_CHECK(jobs::checkSameMesh(reference, *other));
    SKINCELLS_TRY(weights, jobs::weightsOverReference(reference, *other));
    result.others.push_back({other->info().path, compareWeights(r.mesh, r.weights, weights, sets)});
  }
  return result;
}

Document compareDocument(const CompareResult& result, const CompareOptions& options) {
  Json j = heading("compare");
  j["options"] = optionsJson(compareOptionTable(), options);
  j["reference"] = {{"path", result.reference_path}, {"sets", Json::array()}};
  j["others"] = Json::array();
  std::vector<std::vector<std::string>> rows{
      {"skin", "poses", "count", "rms %", "p95 %", "max %", "stretch", "p99", ">2x %", "flip %", "vol %", "tear %"}};
  for (const auto& s : result.reference_shape) {
    j["reference"]["sets"].push_back({{"label", s.label}, {"poses", s.pose_count}, {"shape", toJson(s.shape)}});
    rows.push_back(row("reference", s, true));
  }
  std::string notes;
  for (const ComparedFile& f : result.others) {
    Json sets = Json::array();
    for (const auto& s : f.result.sets) {
      sets.push_back(setJson(s));
      rows.push_back(row(f.path, s, false));
    }
    j["others"].push_back({{"path", f.path},
                           {"sets", sets},
                           {"half_l1", f.result.half_l1},
                           {"unweighted_vertices", f.result.unweighted_vertices},
                           {"max_influences", f.result.max_influences}});
    notes += f.path + ": half-L1 " + text::fixed(f.result.half_l1, 3) + ", at most " +
             text::counted(static_cast<unsigned>(f.result.max_influences), "influence") +
             (f.result.unweighted_vertices > 0 ? ", " + text::counted(f.result.unweighted_vertices, "unweighted vertex")
                                               : "") +
             "\n";
  }
  j["warnings"] = toJson(result.warnings);
  notes += warningsText(result.warnings, "");
  return {"reference: " + result.reference_path + "\n" + text::table(rows) + notes +
              "distances in % of the bind-space bounding-box diagonal\n",
          print(j)};
}

} // namespace skincells

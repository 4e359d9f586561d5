#include <nlohmann/json.hpp>

#include "report/skin_summary.h"
#include "skincells/jobs/lod_job.h"
#include "skincells/report.h"
#include "text/printable.h"
#include "text/table.h"

namespace skincells {
namespace {

using namespace report;

Json errorOf(const SurfaceError& e) {
  return {{"rms_percent", e.rms_percent}, {"max_percent", e.max_percent}};
}

Json mergedOf(const std::vector<MergedJoint>& merged, const Skeleton& skeleton) {
  Json out = Json::array();
  for (const MergedJoint& m : merged)
    out.push_back({{"joint", skeleton.joints[m.joint].name},
                   {"into", skeleton.joints[m.into].name},
                   {"rms_percent", m.rms_percent}});
  return out;
}

Json levelOf(const LodLevel& level, const Skeleton& skeleton) {
  return {{"path", level.path},
          {"ratio", level.ratio},
          {"screen_coverage", level.screen_coverage},
          {"vertices", level.vertex_count},
          {"triangles", level.triangle_count},
          {"max_influences", level.max_influences},
          {"joints", level.joint_count},
          {"geometry", errorOf(level.geometry)},
          {"posed", errorOf(level.posed)},
          {"closest_point", errorOf(level.closest_point)},
          {"merged_joints", mergedOf(level.merged, skeleton)}};
}

} // namespace

Document documentOf(const LodOutcome& outcome, const DocumentOptions&) {
  const LodJob& job = outcome.job;
  const LodResult& result = outcome.result;
  const Character& c = outcome.input.character();
  Json j = heading("lod");
  j["input"] = fileJson(outcome.input);
  j["options"] = optionsJson(valuesOf(lodOptionTable(), job.lod));
  j["options"].update(optionsJson(valuesOf(bindOptionTable(), job.bind)));
  j["options"].update(optionsJson(valuesOf(writeOptionTable(), job.write)));
  j["poses"] = result.pose_count;
  j["levels"] = Json::array();
  std::vector<std::vector<std::string>> rows{
      {"level", "vertices", "triangles", "joints", "per vertex", "bind rms %", "posed rms %", "closest point %"}};
  std::string merges;
  for (const LodLevel& level : result.levels) {
    const std::string number = std::to_string(j["levels"].size());
    j["levels"].push_back(levelOf(level, c.skeleton));
    rows.push_back({job.lod.single_file ? level.path + ", level " + number : level.path,
                    text::grouped(level.vertex_count), text::grouped(level.triangle_count),
                    std::to_string(level.joint_count), std::to_string(level.max_influences),
                    text::fixed(level.geometry.rms_percent, 3), text::fixed(level.posed.rms_percent, 3),
                    text::fixed(level.closest_point.rms_percent, 3)});
    if (!level.merged.empty())
      merges += text::printable(level.path) + ": " + text::counted(level.merged.size(), "joint") +
                " merged, the last at " + text::fixed(level.merged.back().rms_percent, 3) + " %\n";
  }
  j["warnings"] = toJson(result.warnings);
  j["timings_seconds"] = toJson(result.timings);
  merges += warningsText(result.warnings, "");
  return {text::table(rows) + merges + "distances to the surface of level 0 in " +
              text::counted(static_cast<unsigned>(result.pose_count), "pose") +
              ", in % of the bind-space bounding-box diagonal; last column: weights copied from the closest point\n",
          print(j), warningsText(result.warnings, "")};
}

} // namespace skincells

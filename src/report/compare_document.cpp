#include <nlohmann/json.hpp>

#include "report/skin_summary.h"
#include "skincells/jobs/compare_job.h"
#include "skincells/report.h"
#include "text/printable.h"
#include "text/table.h"

namespace skincells {
namespace {

using namespace report;

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

Document documentOf(const CompareOutcome& outcome, const DocumentOptions&) {
  const CompareResult& result = outcome.result;
  Json j = heading("compare");
  j["options"] = optionsJson(valuesOf(compareOptionTable(), outcome.job.compare));
  j["reference"] = {{"path", result.reference_path},
                    {"sets", Json::array()},
                    {"bleeding_percent", result.reference_bleeding_percent}};
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
                           {"bleeding_percent", f.bleeding_percent},
                           {"unweighted_vertices", f.result.unweighted_vertices},
                           {"max_influences", f.result.max_influences}});
    notes += text::printable(f.path) + ": half-L1 " + text::fixed(f.result.half_l1, 3) + ", bleeding " +
             text::fixed(f.bleeding_percent, 2) + " % (reference " + text::fixed(result.reference_bleeding_percent, 2) +
             " %), at most " + text::counted(static_cast<unsigned>(f.result.max_influences), "influence") +
             (f.result.unweighted_vertices > 0 ? ", " + text::counted(f.result.unweighted_vertices, "unweighted vertex")
                                               : "") +
             "\n";
  }
  if (outcome.job.wear.wanted()) {
    j["options"].update(optionsJson(valuesOf(wearOptionTable(), outcome.job.wear)));
    j["garments"] = garmentsJson(outcome.garments);
    notes += garmentsText(outcome.garments);
  }
  j["warnings"] = toJson(result.warnings);
  notes += warningsText(result.warnings, "");
  return {"reference: " + text::printable(result.reference_path) + "\n" + text::table(rows) + notes +
              "distances in % of the bind-space bounding-box diagonal\n",
          print(j), warningsText(result.warnings, "")};
}

} // namespace skincells

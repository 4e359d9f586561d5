#include <nlohmann/json.hpp>

#include "jobs/cloud.h"
#include "report/skin_summary.h"
#include "skincells/jobs/apply_job.h"
#include "skincells/report.h"
#include "text/printable.h"
#include "text/table.h"

namespace skincells {
namespace {

using namespace report;

Document describe(const ApplyOutcome& outcome, const Character& c, const std::string& format,
                  const Warnings& file_warnings, const DocumentOptions& options) {
  const ApplyJob& job = outcome.job;
  const ApplyResult& result = outcome.result;
  const Warnings warnings = joined(file_warnings, result.warnings);
  Json j = heading("apply");
  j["input"] = fileJson(job.input, format, c);
  j["field"] = {{"path", job.field}};
  j["field"].update(fieldJson(outcome.field));
  addRequest(j, job.output, valuesOf(applyOptionTable(), job.apply), job.write);
  j["alignment"] = alignmentJson(result.alignment);
  j["max_influences"] = result.max_influences;
  j["rigid_parts"] = result.rigid_part_count;
  addSkin(j, c, result.weights, options);
  j["warnings"] = toJson(warnings);
  j["seconds"] = result.seconds;

  std::string text = text::printable(job.input + " + " + job.field + " -> " + job.output) + "\n  " +
                     weightsText(c, result.weights, "follow", result.seconds);
  text += alignmentText(result.alignment);
  if (result.rigid_part_count > 0)
    text += "  " + text::counted(static_cast<unsigned>(result.rigid_part_count), "part") + " moved as one piece\n";
  return {text + warningsText(warnings), print(j), warningsText(warnings, "")};
}

} // namespace

Document documentOf(const ApplyOutcome& outcome, const DocumentOptions& options) {
  if (const auto* cloud = std::get_if<PointCloudFile>(&outcome.input))
    return describe(outcome, jobs::characterOfCloud(*cloud, outcome.field), cloud->info().format, cloud->warnings(),
                    options);
  const auto& file = std::get<CharacterFile>(outcome.input);
  return describe(outcome, file.character(), file.info().format, file.warnings(), options);
}

} // namespace skincells

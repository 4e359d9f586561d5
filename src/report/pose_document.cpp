#include <nlohmann/json.hpp>

#include "report/skin_summary.h"
#include "skincells/jobs/pose_job.h"
#include "skincells/report.h"
#include "text/printable.h"
#include "text/table.h"

namespace skincells {

Document documentOf(const PoseOutcome& outcome, const DocumentOptions&) {
  report::Json j = report::heading("pose");
  j["input"] = {{"path", outcome.posed}, {"kind", outcome.kind}, {"vertices", outcome.vertex_count}};
  j["output"] = {{"path", outcome.job.output}};
  j["options"] = report::optionsJson(report::valuesOf(poseOptionTable(), outcome.job.pose));
  j["pose"] = outcome.label;
  j["warnings"] = report::toJson(outcome.warnings);
  const std::string text = text::printable(outcome.posed + " -> " + outcome.job.output) + "\n  " + outcome.kind +
                           " of " + text::counted(outcome.vertex_count, "vertex") + " in the pose " +
                           text::printable(outcome.label) + "\n";
  return {text + report::warningsText(outcome.warnings), report::print(j), report::warningsText(outcome.warnings, "")};
}

} // namespace skincells

// A posed copy.
#include "report/skin_summary.h"
#include "skincells/report.h"
#include "text/table.h"

namespace skincells {

Document poseDocument(const PoseResult& result, const PoseOptions& options) {
  report::Json j = report::heading("pose");
  j["input"] = {{"path", result.input}, {"kind", result.kind}, {"vertices", result.vertex_count}};
  j["output"] = {{"path", result.output}};
  j["options"] = report::optionsJson(poseOptionTable(), options);
  j["pose"] = result.label;
  j["warnings"] = report::toJson(result.warnings);
  const std::string text = result.input + " -> " + result.output + "\n  " + result.kind + " of " +
                           text::counted(result.vertex_count, "vertex") + " in the pose " + result.label + "\n";
  return {text + report::warningsText(result.warnings), report::print(j)};
}

} // namespace skincells

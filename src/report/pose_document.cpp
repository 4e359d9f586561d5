// A posed copy.
#include "report/json_text.h"
#include "report/table.h"
#include "skincells/report.h"

namespace skincells {

Document poseDocument(const PoseResult& result, const PoseOptions& options) {
  report::Json j = report::heading("pose");
  j["input"] = {{"path", result.input}, {"kind", result.kind}, {"vertices", result.vertex_count}};
  j["output"] = {{"path", result.output}};
  j["options"] = report::optionsJson(poseOptionTable(), options);
  j["pose"] = result.label;
  j["warnings"] = report::toJson(result.warnings);
  std::string text = result.input + " -> " + result.output + "\n  " + result.kind + " of " +
                     report::counted(result.vertex_count, "vertex") + " in the pose " + result.label + "\n";
  for (const Warning& w : result.warnings)
    text += "  warning: " + (w.where.empty() ? "" : w.where + ": ") + w.message + "\n";
  return {text, report::print(j)};
}

} // namespace skincells

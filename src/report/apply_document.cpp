// What applying a field did.
#include "base/assert.h"
#include "report/skin_summary.h"
#include "report/table.h"
#include "skincells/report.h"

namespace skincells {

using namespace report;

Document applyDocument(const ApplySummary& summary) {
  SKINCELLS_ASSERT(summary.input != nullptr && summary.field != nullptr && summary.result != nullptr);
  const CharacterFile& file = *summary.input;
  const Character& c = file.character();
  const ApplyResult& result = *summary.result;
  Json j = heading("apply");
  j["input"] = fileJson(file);
  j["field"] = {{"path", summary.field_path}};
  j["field"].update(fieldJson(*summary.field));
  j["output"] = {{"path", summary.output_path}};
  j["options"] = optionsJson(applyOptionTable(), summary.options);
  j["options"].update(optionsJson(writeOptionTable(), summary.write_options));
  j["alignment"] = alignmentJson(result.alignment);
  j["max_influences"] = result.max_influences;
  j["rigid_parts"] = result.rigid_part_count;
  j["weights"] = weightsJson(result.weights, c.skeleton.jointCount());
  if (summary.measure_shape) j["posed_shape"] = posedShapeJson(c, result.weights);
  Warnings warnings = file.warnings();
  warnings.insert(warnings.end(), result.warnings.begin(), result.warnings.end());
  j["warnings"] = toJson(warnings);
  j["seconds"] = result.seconds;

  std::string text = file.info().path + " + " + summary.field_path + " -> " + summary.output_path + "\n  " +
                     weightsText(c, result.weights, "follow", result.seconds);
  text += alignmentText(result.alignment);
  if (result.rigid_part_count > 0)
    text += "  " + counted(static_cast<unsigned>(result.rigid_part_count), "part") + " moved as one piece\n";
  return {text + warningsText(warnings), print(j)};
}

} // namespace skincells

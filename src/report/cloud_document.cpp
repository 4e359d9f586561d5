// What applying a field to a cloud did.
#include "base/assert.h"
#include "report/skin_summary.h"
#include "skincells/report.h"

namespace skincells {

using namespace report;

Document applyDocument(const CloudSummary& summary) {
  SKINCELLS_ASSERT(summary.input != nullptr && summary.field != nullptr && summary.result != nullptr);
  const ApplyResult& result = *summary.result;
  const Character c = characterOfCloud(*summary.input, *summary.field);
  Json j = heading("apply");
  j["input"] = {{"path", summary.input->info().path},
                {"format", summary.input->info().format},
                {"vertices", c.mesh.vertexCount()},
                {"triangles", c.mesh.triangles.size()},
                {"joints", c.skeleton.jointCount()}};
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
  Warnings warnings = summary.input->warnings();
  warnings.insert(warnings.end(), result.warnings.begin(), result.warnings.end());
  j["warnings"] = toJson(warnings);
  j["seconds"] = result.seconds;
  return {summary.input->info().path + " + " + summary.field_path + " -> " + summary.output_path + "\n  " +
              weightsText(c, result.weights, "follow", result.seconds) + warningsText(warnings),
          print(j)};
}

} // namespace skincells

#include <nlohmann/json.hpp>

#include "report/skin_summary.h"
#include "skincells/jobs/transfer_job.h"
#include "skincells/report.h"
#include "text/printable.h"
#include "text/table.h"

namespace skincells {
namespace {

using namespace report;

std::string howText(const TransferResult& result, TransferMethod via) {
  if (result.fit)
    return "  the field fits the source: half L1 " + text::fixed(result.fit->half_l1, 3) + ", posed rms " +
           text::fixed(result.fit->posed_rms_percent, 2) + " % of the diagonal in " +
           std::to_string(result.fit->pose_count) + " random poses\n";
  std::string text = "  the target is " + text::fixed(result.mean_distance_percent, 2) +
                     " % of the source's diagonal away from its surface\n";
  if (via == TransferMethod::Robust)
    text += "  " + text::grouped(result.matched_vertices) + " positions copied, " +
            text::grouped(result.inpainted_vertices) + " filled in, " + text::grouped(result.unmatched_vertices) +
            " without any match nearby\n";
  return text;
}

} // namespace

Document documentOf(const TransferOutcome& outcome, const DocumentOptions& options) {
  const TransferJob& job = outcome.job;
  const Character& c = outcome.target.character();
  const TransferResult& result = outcome.result;
  const Warnings warnings = joined(outcome.target.warnings(), result.warnings);
  Json j = heading("transfer");
  j["source"] = fileJson(outcome.source);
  j["input"] = fileJson(outcome.target);
  addRequest(j, job.output, valuesOf(transferOptionTable(), job.transfer), job.write);
  j["alignment"] = alignmentJson(result.alignment);
  j["max_influences"] = result.max_influences;
  if (result.fit)
    j["fit"] = {{"half_l1", result.fit->half_l1},
                {"posed_rms_percent", result.fit->posed_rms_percent},
                {"poses", result.fit->pose_count},
                {"loss", result.fit->loss}};
  else
    j["surface"] = {{"mean_distance_percent", result.mean_distance_percent},
                    {"copied", result.matched_vertices},
                    {"filled_in", result.inpainted_vertices},
                    {"unmatched", result.unmatched_vertices}};
  if (job.field.wanted())
    j["field"] =
        writtenFieldJson(*result.field, {job.field, outcome.field_bytes,
                                         tableBytes(result.weights, c.skeleton.jointCount(), job.write.quantize)});
  addSkin(j, c, result.weights, options);
  j["warnings"] = toJson(warnings);
  j["seconds"] = result.seconds;

  std::string text = text::printable(job.source + " -> " + job.output) + "\n  " +
                     weightsText(c, result.weights, "follow", result.seconds);
  text += alignmentText(result.alignment) + howText(result, job.transfer.via);
  return {text + warningsText(warnings), print(j), warningsText(warnings, "")};
}

} // namespace skincells

#include <nlohmann/json.hpp>

#include "report/skin_summary.h"
#include "skincells/jobs/check_job.h"
#include "skincells/report.h"
#include "text/printable.h"
#include "text/table.h"

namespace skincells {

Document documentOf(const CheckOutcome& outcome, const DocumentOptions&) {
  static constexpr const char* kSeverities[] = {"note", "warning", "ERROR"};
  const CheckResult& result = outcome.result;
  report::Json j = report::heading("check");
  j["file"] = {{"path", outcome.job.input}};
  j["options"] = report::optionsJson(report::valuesOf(checkOptionTable(), outcome.job.check));
  j["passed"] = outcome.passed;
  j["valid"] = result.passed;
  j["defects"] = report::Json::array();
  std::string text = text::printable(outcome.job.input) + ": " +
                     (result.passed ? "the file is valid" : "the file is NOT valid") + "\n";
  for (const Defect& d : result.defects) {
    j["defects"].push_back(report::toJson(d));
    text += "  " + std::string(kSeverities[static_cast<int>(d.severity)]) + " " + d.code + " at " +
            text::printable(d.where + ": " + d.message) + " (" + text::grouped(d.count) + ")\n      " + d.advice + "\n";
  }
  if (outcome.job.wear.wanted()) {
    j["options"].update(report::optionsJson(report::valuesOf(wearOptionTable(), outcome.job.wear)));
    j["garments"] = report::garmentsJson(outcome.garments);
    j["warnings"] = report::toJson(outcome.warnings);
    text += report::garmentsText(outcome.garments) + report::warningsText(outcome.warnings);
  }
  if (outcome.verdict) {
    j["verdict"] = report::toJson(*outcome.verdict);
    text += report::verdictText(*outcome.verdict);
  }
  return {text, report::print(j)};
}

} // namespace skincells

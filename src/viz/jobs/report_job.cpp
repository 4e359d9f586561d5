#include "skincells/viz/report_job.h"

#include <nlohmann/json.hpp>

#include "base/try.h"
#include "jobs/option_file.h"
#include "jobs/read_all.h"
#include "jobs/run_alone.h"
#include "report/json_text.h"
#include "text/printable.h"

namespace skincells {

JobFiles filesOf(const ReportJob& job) {
  JobFiles files{job.others, {job.output}, job.force};
  files.inputs.push_back(job.input);
  files.inputs.push_back(job.page.bind_report);
  files.inputs.push_back(job.page.gate);
  files.inputs.push_back(jobs::optionFile(job.page.rom));
  for (std::string& path : job.page.wear.bodies()) files.inputs.push_back(std::move(path));
  return files;
}

Result<ReportOutcome> run(const ReportJob& job, OutputSet& outputs, const ProgressFunction&) {
  SKINCELLS_CHECK(declareFiles(filesOf(job), outputs));
  SKINCELLS_TRY(files, jobs::readSkins(job.input, job.others, outputs));
  SKINCELLS_TRY(page, skinPage(files.front(), jobs::othersOf(files), job.page));
  SKINCELLS_CHECK(outputs.stage(job.output, page, job.force));
  return ReportOutcome{job};
}

Result<ReportOutcome> run(const ReportJob& job, const ProgressFunction& progress) {
  return jobs::runAlone<ReportOutcome>(job, progress);
}

Document documentOf(const ReportOutcome& outcome, const DocumentOptions&) {
  report::Json j = report::heading("report");
  j["inputs"] = report::Json::array({outcome.job.input});
  for (const std::string& other : outcome.job.others) j["inputs"].push_back(other);
  j["output"] = outcome.job.output;
  return {text::printable(outcome.job.output) + "\n", report::print(j)};
}

} // namespace skincells

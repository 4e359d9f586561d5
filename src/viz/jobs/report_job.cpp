#include "skincells/viz/report_job.h"

#include "base/try.h"
#include "io/file_access.h"
#include "jobs/read_all.h"

namespace skincells {

JobFiles filesOf(const ReportJob& job) {
  JobFiles files{job.others, {job.output}};
  files.inputs.push_back(job.input);
  files.inputs.push_back(job.page.bind_report);
  return files;
}

Result<ReportOutcome> run(const ReportJob& job, const ProgressFunction&) {
  SKINCELLS_CHECK(checkFiles(filesOf(job)));
  SKINCELLS_CHECK(io::checkTarget(job.output, job.force));
  SKINCELLS_TRY(files, jobs::readAll(job.input, job.others));
  SKINCELLS_TRY(page, skinPage(files.front(), jobs::othersOf(files), job.page));
  SKINCELLS_CHECK(writeOutput(job.output, page, job.force));
  return ReportOutcome{job};
}

Document documentOf(const ReportOutcome& outcome, const DocumentOptions&) {
  return {outcome.job.output + "\n", {}};
}

} // namespace skincells

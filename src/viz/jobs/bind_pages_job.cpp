#include "skincells/viz/bind_pages_job.h"

#include "base/try.h"
#include "skincells/report.h"
#include "skincells/viz/bind_page.h"
#include "skincells/viz/viewer_page.h"

namespace skincells {

JobFiles filesOf(const BindPagesJob& job) {
  JobFiles files = filesOf(job.bind);
  files.outputs.push_back(job.page);
  files.outputs.push_back(job.view);
  return files;
}

Result<BindOutcome> run(const BindPagesJob& job, const ProgressFunction& progress) {
  SKINCELLS_CHECK(checkFiles(filesOf(job)));
  if (!job.view.empty() && !hasViewer()) return viewerPage({}).error();
  SKINCELLS_CHECK(checkReportPath(job.page));
  SKINCELLS_CHECK(checkReportPath(job.view));
  SKINCELLS_TRY(outcome, run(job.bind, progress));
  if (!job.page.empty()) SKINCELLS_CHECK(writeReport(job.page, bindPage(outcome)));
  if (!job.view.empty()) {
    SKINCELLS_TRY(page, viewerPage({{.file = &outcome.input, .bound = &outcome.result}}));
    SKINCELLS_CHECK(writeReport(job.view, page));
  }
  return std::move(outcome);
}

} // namespace skincells

#include "skincells/viz/bind_pages_job.h"

#include "base/try.h"
#include "jobs/run_alone.h"
#include "skincells/report.h"
#include "skincells/viz/bind_page.h"
#include "skincells/viz/viewer_page.h"
#include "viz/jobs/shown_bodies.h"

namespace skincells {

namespace {

// The result; a garment together with the skinned bodies that wear it.
Result<std::string> viewerOf(const BindJob& job, const BindOutcome& outcome) {
  SKINCELLS_TRY(bodies, jobs::readShownBodies(job.wear));
  ViewCharacter shown{.file = &outcome.input, .bound = &outcome.result};
  if (job.wear.wanted()) shown.verdict = outcome.verdict;
  shown.garments = outcome.garments;
  return jobs::dressedPage(bodies, {std::move(shown)}, {.gate = job.verdict.gate});
}

} // namespace

JobFiles filesOf(const BindPagesJob& job) {
  JobFiles files = filesOf(job.bind);
  files.outputs.push_back(job.page);
  files.outputs.push_back(job.view);
  return files;
}

Result<BindOutcome> run(const BindPagesJob& job, OutputSet& outputs, const ProgressFunction& progress) {
  if (!job.view.empty() && !hasViewer()) return viewerPage({}).error();
  const bool force = job.bind.write.force;
  SKINCELLS_CHECK(declareFiles({filesOf(job.bind).inputs, {job.page, job.view}, force}, outputs));
  SKINCELLS_TRY(outcome, run(job.bind, outputs, progress));
  if (!job.page.empty()) SKINCELLS_CHECK(outputs.stage(job.page, bindPage(outcome), force));
  if (!job.view.empty()) {
    SKINCELLS_TRY(page, viewerOf(job.bind, outcome));
    SKINCELLS_CHECK(outputs.stage(job.view, page, force));
  }
  return std::move(outcome);
}

Result<BindOutcome> run(const BindPagesJob& job, const ProgressFunction& progress) {
  return jobs::runAlone<BindOutcome>(job, progress);
}

} // namespace skincells

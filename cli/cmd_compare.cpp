#include "commands.h"
#include "skincells/jobs/compare_job.h"

namespace skincells::cli {

Run setUpCompare(CommandOptions& options) {
  auto command = std::make_shared<JobCommand<CompareJob>>();
  CompareJob& job = command->job;
  options.text("reference", job.reference, "the skin to compare with, e.g. the artist's").required();
  options.texts("other", job.others, "skins of the same mesh").required();
  options.table(wearOptionTable(), job.wear);
  options.table(compareOptionTable(), job.compare);
  options.reportOnly(command->common);
  return runnerOf<CompareJob>(command, [](const CompareOutcome& outcome) {
    return exceeds(outcome.result, outcome.job.compare.max_rms) ? kGateFailed : kDone;
  });
}

} // namespace skincells::cli

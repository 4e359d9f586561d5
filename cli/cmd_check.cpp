#include "commands.h"
#include "skincells/jobs/check_job.h"

namespace skincells::cli {

Run setUpCheck(CommandOptions& options) {
  auto command = std::make_shared<JobCommand<CheckJob>>();
  options.text("input", command->job.input, "the skinned character file").required();
  options.table(wearOptionTable(), command->job.wear);
  options.table(checkOptionTable(), command->job.check);
  options.reportOnly(command->common);
  return runnerOf<CheckJob>(command, [](const CheckOutcome& outcome) { return outcome.passed ? kDone : kGateFailed; });
}

} // namespace skincells::cli

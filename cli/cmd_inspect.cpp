#include "commands.h"
#include "skincells/jobs/inspect_job.h"

namespace skincells::cli {

Run setUpInspect(CommandOptions& options) {
  auto command = std::make_shared<JobCommand<InspectJob>>();
  options.text("input", command->job.input, "the character file, or a field file (.skc)").required();
  options.table(readOptionTable(), command->job.read);
  options.reportOnly(command->common);
  return runnerOf<InspectJob>(command);
}

} // namespace skincells::cli

#include "commands.h"
#include "skincells/viz/report_job.h"

namespace skincells::cli {

Run setUpReport(CommandOptions& options) {
  auto command = std::make_shared<JobCommand<ReportJob>>();
  ReportJob& job = command->job;
  options.text("input", job.input, "the skinned character file").required();
  options.texts("other", job.others, "further skins of the same mesh, shown and measured beside it");
  options.text("-o,--output", job.output, "the page to write (.html)").required();
  options.page(job.force, command->common);
  options.table(wearOptionTable(), job.page.wear);
  options.table(skinPageOptionTable(), job.page);
  return runnerOf<ReportJob>(command);
}

} // namespace skincells::cli

#include "skincells/viz/batch_pages_job.h"

#include <filesystem>

#include "base/try.h"
#include "skincells/viz/batch_page.h"

namespace skincells {

Result<BatchOutcome> run(const BatchPagesJob& job, OutputSet& outputs, const BatchProgress& progress,
                         const std::atomic<bool>* stop) {
  auto outcome = job.merge ? mergeBatch(job.batch) : run(job.batch, progress, stop);
  if (!outcome || job.batch.shard) return outcome;
  const std::filesystem::path folder(job.batch.output);
  SKINCELLS_CHECK(outputs.stage((folder / "index.html").string(), batchPage(*outcome), true));
  SKINCELLS_CHECK(outputs.stage((folder / "batch.csv").string(), batchTable(outcome->lines), true));
  return outcome;
}

} // namespace skincells

// The command `bind` with its pages: a bind, a report page and a viewer page of the result.
#pragma once

#include <string>

#include "skincells/jobs/bind_job.h"

namespace skincells {

struct BindPagesJob {
  BindJob bind;
  std::string page; // where to write the report page (.html); empty: nowhere
  std::string view; // where to write the viewer page (.html); empty: nowhere
};

JobFiles filesOf(const BindPagesJob& job);
// Existing pages are replaced only with `bind.write.force`. Paths of pages are checked before any work.
Result<BindOutcome> run(const BindPagesJob& job, const ProgressFunction& progress = {});
// The same as a part of a run: outputs are staged, and appear when `outputs` are committed.
Result<BindOutcome> run(const BindPagesJob& job, OutputSet& outputs, const ProgressFunction& progress = {});

} // namespace skincells

// A job as a run of its own.
#pragma once

#include "base/try.h"
#include "skincells/io/output_set.h"
#include "skincells/progress.h"

namespace skincells::jobs {

// Runs the job and commits its outputs.
template <class Outcome, class Job> Result<Outcome> runAlone(const Job& job, const ProgressFunction& progress) {
  OutputSet outputs;
  SKINCELLS_TRY(outcome, run(job, outputs, progress));
  SKINCELLS_CHECK(outputs.commit());
  return std::move(outcome);
}

} // namespace skincells::jobs

// The command `bind` with several garments, each in a file of its own.
#pragma once

#include <string>
#include <vector>

#include "skincells/jobs/bind_job.h"

namespace skincells {

struct OutfitJob {
  // For each garment. The input is the innermost one; the output is a folder, made if it is missing. Needs a body, and
  // takes no field file and no --garment or --layers: the files are the layers.
  BindJob bind;
  std::vector<std::string> outer; // the others, from the inside out

  std::vector<BindJob> jobs() const; // one per garment; outputs are named like their inputs
};

struct OutfitOutcome {
  std::vector<BindOutcome> garments; // inner ones first
};

JobFiles filesOf(const OutfitJob& job);
// Each garment stays out of the body and of the garments before it. If the job fails, nothing is written.
Result<OutfitOutcome> run(const OutfitJob& job, OutputSet& outputs, const ProgressFunction& progress = {});

} // namespace skincells

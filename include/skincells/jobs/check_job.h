// The command `check`: finds defects of a skin.
#pragma once

#include <string>
#include <vector>

#include "skincells/io/character_file.h"
#include "skincells/jobs/job_files.h"
#include "skincells/metrics.h"
#include "skincells/options.h"
#include "skincells/progress.h"

namespace skincells {

struct CheckOptions {
  int max_influences = 4; // more joints per vertex than this are an error, 1 .. 16
  bool strict = false;    // warnings fail the check too
};
const OptionTable<CheckOptions>& checkOptionTable();

struct CheckResult {
  bool passed = true;
  std::vector<Defect> defects; // most severe first
};
// Defects of the stored weights and of the weights as a whole.
CheckResult checkSkin(const CharacterFile& file, const CheckOptions& options = {});

struct CheckJob {
  std::string input;
  CheckOptions check;
};

struct CheckOutcome {
  CheckJob job;
  CheckResult result;
};

JobFiles filesOf(const CheckJob& job);
// A skin with defects is a result, not an error.
Result<CheckOutcome> run(const CheckJob& job, const ProgressFunction& progress = {});
// The same as a part of a run: outputs are staged, and appear when `outputs` are committed.
Result<CheckOutcome> run(const CheckJob& job, OutputSet& outputs, const ProgressFunction& progress = {});

} // namespace skincells

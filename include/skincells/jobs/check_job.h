// The command `check`: finds defects of a skin as stored, and judges how it deforms.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "skincells/io/character_file.h"
#include "skincells/jobs/job_files.h"
#include "skincells/jobs/wear.h"
#include "skincells/metrics.h"
#include "skincells/options.h"
#include "skincells/progress.h"
#include "skincells/verdict.h"

namespace skincells {

struct CheckOptions {
  int max_influences = 4; // more joints per vertex than this are an error, 1 .. 16
  bool strict = false;    // warnings fail the check too
  bool posed = false;     // a bad verdict fails the check too; with `strict`, any that is not good
  std::string gate = "";  // thresholds of the verdict: path of a gate file; empty: the default table
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
  WearOptions wear = {}; // the garments of the file are measured over what they are worn on
};

struct CheckOutcome {
  CheckJob job;
  CheckResult result;                  // of the file
  std::optional<Verdict> verdict = {}; // of the deformation; nothing without weights
  bool passed = true;
  std::vector<GarmentOutcome> garments = {}; // inner layers first
  Warnings warnings = {};
};

// The outcome of the job for a file that was read. Fails for an unusable gate file, and for garments and bodies that
// are not there.
Result<CheckOutcome> checkFile(const CheckJob& job, const CharacterFile& file);

JobFiles filesOf(const CheckJob& job);
// A skin with defects is a result, not an error.
Result<CheckOutcome> run(const CheckJob& job, const ProgressFunction& progress = {});
// The same as a part of a run: outputs are staged, and appear when `outputs` are committed.
Result<CheckOutcome> run(const CheckJob& job, OutputSet& outputs, const ProgressFunction& progress = {});

} // namespace skincells

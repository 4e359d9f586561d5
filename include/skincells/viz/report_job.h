// The command `report`: writes a report page about finished skins.
#pragma once

#include <string>
#include <vector>

#include "skincells/jobs/job_files.h"
#include "skincells/progress.h"
#include "skincells/report.h"
#include "skincells/result.h"
#include "skincells/viz/skin_page.h"

namespace skincells {

struct ReportJob {
  std::string input;
  std::vector<std::string> others; // other skins of the same mesh
  std::string output;              // .html
  bool force = false;              // replace an existing output
  SkinPageOptions page;
};

struct ReportOutcome {
  ReportJob job;
};

JobFiles filesOf(const ReportJob& job);
Result<ReportOutcome> run(const ReportJob& job, const ProgressFunction& progress = {});
// The same as a part of a run: outputs are staged, and appear when `outputs` are committed.
Result<ReportOutcome> run(const ReportJob& job, OutputSet& outputs, const ProgressFunction& progress = {});
Document documentOf(const ReportOutcome& outcome, const DocumentOptions& options = {}); // text only

} // namespace skincells

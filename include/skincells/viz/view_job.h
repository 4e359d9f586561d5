// The command `view`: makes the viewer page of some characters.
#pragma once

#include <string>
#include <vector>

#include "skincells/io/character_file.h"
#include "skincells/jobs/job_files.h"
#include "skincells/jobs/wear.h"
#include "skincells/progress.h"
#include "skincells/report.h"
#include "skincells/result.h"
#include "skincells/viz/viewer_page.h"

namespace skincells {

struct ViewJob {
  std::vector<std::string> inputs; // at least one: characters, clouds of points or splats
  // Field files: the first for the first input, and so on. An input without one shows the field that belongs to its
  // file, if there is any.
  std::vector<std::string> fields;
  std::string output; // .html; empty: the page is only returned
  std::string labels; // names of the characters on the page, separated by commas; empty: those of the files
  bool force = false; // replace an existing output
  ReadOptions read;
  ViewOptions view;
  WearOptions wear = {}; // each input is a garment of its own, or has some: the page measures and paints them
};

struct ViewOutcome {
  ViewJob job;
  std::string page;  // HTML
  Warnings warnings; // of the first file, and what is not shown of clouds
};

JobFiles filesOf(const ViewJob& job);
Result<ViewOutcome> run(const ViewJob& job, const ProgressFunction& progress = {});
// The same as a part of a run: outputs are staged, and appear when `outputs` are committed.
Result<ViewOutcome> run(const ViewJob& job, OutputSet& outputs, const ProgressFunction& progress = {});
Document documentOf(const ViewOutcome& outcome, const DocumentOptions& options = {});

} // namespace skincells

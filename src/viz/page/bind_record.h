// How a skin was bound, for report pages: from a bind that has just ended, or from the report that an earlier one
// wrote.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "skincells/bind.h"
#include "skincells/jobs/bind_job.h"
#include "skincells/result.h"

namespace skincells::page {

struct BindRecord {
  std::vector<std::pair<std::string, std::string>> options; // name and value, as typed on a command line
  std::vector<StageTime> timings;
  std::vector<LossCurve> curves;
  std::string poses;                 // as in BindReport
  std::vector<JointDecision> joints; // one per joint of the skeleton, or none
  std::vector<JointMotion> motions;  // one per joint of the skeleton, or none
  Warnings warnings;
};

BindRecord recordOf(const BindOutcome& outcome);
// Reads the JSON that `bind --json-file` wrote for a character with this skeleton; fails for anything else.
Result<BindRecord> readBindRecord(const std::string& path, const Skeleton& skeleton);

} // namespace skincells::page

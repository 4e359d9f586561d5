// How a skin was bound, as report pages tell it: by a bind that has just ended, or by what an earlier one left behind.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "skincells/report.h"
#include "skincells/viz/page.h"

namespace skincells::page {

struct BindRecord {
  std::vector<std::pair<std::string, std::string>> options; // name and value, as one would type them
  std::vector<StageTime> timings;
  std::vector<LossCurve> curves;
  std::string poses;                 // as in BindReport
  std::vector<JointDecision> joints; // one per joint of the skeleton, or none
  std::vector<JointMotion> motions;  // one per joint of the skeleton, or none
  Warnings warnings;
};

BindRecord recordOf(const BindSummary& summary);
// Reads the JSON that `bind --report` wrote for a character with this skeleton. An error for anything else.
Result<BindRecord> readBindRecord(const std::string& path, const Skeleton& skeleton);

// Loss curves, ranges of motion of the poses they were taken over, options and timings: what of it is known.
std::vector<PageSection> recordSections(const Skeleton& skeleton, const BindRecord& record);

} // namespace skincells::page

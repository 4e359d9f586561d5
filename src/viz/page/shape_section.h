// Metrics of the posed shape against thresholds, and the verdict that follows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "skincells/metrics.h"
#include "skincells/viz/page.h"

namespace skincells::page {

// A metric of the posed shape: good up to `good`, bad above `bad`. Shared by report pages and the viewer.
struct ShapeThreshold {
  const char* metric; // its key in JSON
  const char* label;
  double ShapeStatistics::*value;
  int digits; // after the decimal point
  double good, bad;
};
std::span<const ShapeThreshold> shapeThresholds();

struct NamedShape {
  std::string name;
  ShapeStatistics shape;
};
// The metrics of one or more skins, one column each, against the thresholds.
PageSection shapeSection(const std::vector<NamedShape>& skins);

// Sets the page's verdict to the worst of all metrics; always bad if a skin is not valid.
void setVerdict(PageInput& page, bool valid, const std::vector<NamedShape>& skins);

} // namespace skincells::page

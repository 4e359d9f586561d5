#include "viz/page/shape_section.h"

#include <algorithm>

#include "text/table.h"

namespace skincells::page {
namespace {

constexpr ShapeThreshold kThresholds[] = {
    {"stretchRms", "edge stretch, rms of |ln|", &ShapeStatistics::stretch_rms, 3, 0.15, 0.3},
    {"stretchP99", "edge stretch, 99th percentile", &ShapeStatistics::stretch_p99, 2, 0.7, 1.2},
    {"extremeEdgesPercent", "edges beyond a factor of two, %", &ShapeStatistics::extreme_edges_percent, 2, 1.0, 3.0},
    {"flippedPercent", "triangles turned over, %", &ShapeStatistics::flipped_percent, 2, 1.0, 3.0},
    {"volumePercent", "volume change of closed parts, %", &ShapeStatistics::volume_percent, 1, 6.0, 12.0},
    {"tearPercent", "widest gap at a seam, % of size", &ShapeStatistics::tear_percent, 3, 0.0, 0.1},
};

Tone toneOf(const ShapeThreshold& t, const ShapeStatistics& shape) {
  const double value = shape.*t.value;
  return value <= t.good ? Tone::Good : value <= t.bad ? Tone::Warning : Tone::Bad;
}

} // namespace

std::span<const ShapeThreshold> shapeThresholds() {
  return kThresholds;
}

PageSection shapeSection(const std::vector<NamedShape>& skins) {
  PageSection section;
  section.heading = "Posed shape";
  PageTable table;
  table.columns = {{"measure", false}};
  for (const NamedShape& skin : skins) table.columns.push_back({skin.name, true});
  table.columns.push_back({"good up to", true});
  table.columns.push_back({"bad beyond", true});
  for (const ShapeThreshold& t : kThresholds) {
    std::vector<PageCell> row{{t.label}};
    for (const NamedShape& skin : skins)
      row.push_back({text::fixed(skin.shape.*t.value, t.digits), toneOf(t, skin.shape)});
    row.push_back({text::fixed(t.good, t.digits)});
    row.push_back({text::fixed(t.bad, t.digits)});
    table.rows.push_back(std::move(row));
  }
  section.tables = {std::move(table)};
  return section;
}

void setVerdict(PageInput& page, bool valid, const std::vector<NamedShape>& skins) {
  Tone worst = Tone::Good;
  for (const NamedShape& skin : skins)
    for (const ShapeThreshold& t : kThresholds) worst = std::max(worst, toneOf(t, skin.shape));
  page.verdict = valid ? worst : Tone::Bad;
  static constexpr const char* kTexts[] = {"", "good", "valid, with warnings", "valid, poor deformation"};
  page.verdict_text = valid ? kTexts[static_cast<int>(worst)] : "not valid";
}

} // namespace skincells::page

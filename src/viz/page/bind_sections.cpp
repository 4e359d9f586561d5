#include "viz/page/bind_sections.h"

#include <algorithm>
#include <array>

#include "text/table.h"
#include "viz/page/loss_plot.h"

namespace skincells::page {
namespace {

std::string angles(const AngleInterval& a) {
  return text::fixed(a.lo, 0) + " .. " + text::fixed(a.hi, 0);
}

// Why a stage ended.
std::string endOf(const LossCurve& curve) {
  if (curve.stop_reason == "settled") return "; it stopped early because the loss over held-out poses had settled";
  if (curve.stop_reason == "cancelled") return "; it was cancelled";
  if (curve.stop_reason == "diverged") return "; it diverged, and the best state was kept";
  return "";
}

std::string captionOf(const LossCurve& curve) {
  std::string text = curve.name + ": " + std::to_string(curve.values.size()) + " steps, loss from " +
                     text::significant(curve.values.front(), 3) + " to " + text::significant(curve.values.back(), 3) +
                     " (logarithmic scale)";
  if (!curve.held_out.empty()) text += "; dots: loss over held-out poses";
  return text + endOf(curve);
}

// The loss over the steps, one drawing per stage.
PageSection lossSection(const BindRecord& record) {
  PageSection section;
  section.heading = "Loss";
  for (const LossCurve& curve : record.curves)
    if (isDrawable(curve)) section.drawings.push_back({lossPlot(curve), captionOf(curve)});
  return section;
}

PageSection motionSection(const Skeleton& skeleton, const BindRecord& record) {
  PageSection section;
  section.heading = "Ranges of motion";
  section.folded = true;
  if (record.motions.empty()) return section;
  section.paragraphs = {record.poses == "clips" ? "The skin was optimized over poses of the file's clips."
                                                : "The skin was optimized over random poses within these ranges."};
  PageTable t{
      "",
      {{"joint", false}, {"source", false}, {"kind", false}, {"swing, degrees", true}, {"twist, degrees", true}},
      {}};
  for (const JointMotion& m : record.motions)
    t.rows.push_back({{skeleton.joints[m.joint].name},
                      {m.source},
                      {m.range.isHinge() ? (m.detail.empty() ? "hinge" : m.detail + ", hinge") : m.detail},
                      {angles(m.range.swing)},
                      {angles(m.range.twist)}});
  section.tables = {std::move(t)};
  return section;
}

PageSection optionSection(const BindRecord& record) {
  PageSection section;
  section.heading = "Options and timings";
  section.folded = true;
  PageTable options{"Options", {{"option", false}, {"value", false}}, {}};
  for (const auto& [name, value] : record.options)
    options.rows.push_back({{"--" + name}, {value.empty() ? "none" : value}});
  PageTable timings{"Timings", {{"stage", false}, {"milliseconds", true}}, {}};
  double total = 0;
  for (const StageTime& t : record.timings) {
    timings.rows.push_back({{t.name}, {text::fixed(t.seconds * 1000, 1)}});
    total += t.seconds;
  }
  if (!timings.rows.empty()) {
    timings.rows.push_back({{"total"}, {text::fixed(total * 1000, 1)}});
    section.tables.push_back(std::move(timings));
  }
  if (!options.rows.empty()) section.tables.push_back(std::move(options));
  return section;
}

} // namespace

std::vector<PageSection> recordSections(const Skeleton& skeleton, const BindRecord& record) {
  std::vector<PageSection> sections;
  for (PageSection& s :
       std::to_array<PageSection>({lossSection(record), motionSection(skeleton, record), optionSection(record)}))
    if (!s.drawings.empty() || !s.tables.empty()) sections.push_back(std::move(s));
  return sections;
}

PageSection garmentSection(const std::vector<GarmentOutcome>& garments) {
  PageSection section;
  section.heading = "Garments";
  section.paragraphs = {
      "Vertices inside what the garment is worn on, deeper than at rest, over all poses. Depth is in % "
      "of the body's largest side."};
  const auto hasWhole = [](const GarmentOutcome& g) {
    return std::ranges::any_of(g.skins, [](const auto& s) { return s.method == "whole"; });
  };
  if (std::ranges::any_of(garments, hasWhole))
    section.paragraphs[0] += " The first row is the result; whole: before the garment was kept out of the body.";
  for (const GarmentOutcome& g : garments) {
    PageTable t{g.name + ", " + std::to_string(g.poses) + " poses" +
                    (g.own_joints > 0 ? ", " + std::to_string(g.own_joints) + " own joints" : ""),
                {{"skin", false},
                 {"inside, %", true},
                 {"mean depth, %", true},
                 {"largest depth, %", true},
                 {"stretch, 99th percentile", true},
                 {"asymmetry", true}},
                {}};
    const double result = g.skins.empty() ? 0 : g.skins.front().quality.penetration.vertex_percent;
    for (const GarmentOutcome::Skin& s : g.skins) {
      const Penetration& p = s.quality.penetration;
      const Tone tone = p.vertex_percent > result ? Tone::Warning : Tone::Neutral;
      t.rows.push_back({{s.method},
                        {text::fixed(p.vertex_percent, 2), tone},
                        {text::fixed(p.mean_depth, 2)},
                        {text::fixed(p.max_depth, 2)},
                        {text::fixed(s.quality.stretch_p99, 3)},
                        {text::fixed(s.quality.asymmetry, 3)}});
    }
    section.tables.push_back(std::move(t));
  }
  return section;
}

} // namespace skincells::page

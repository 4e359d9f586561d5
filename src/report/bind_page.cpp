// The report page of a bind: pictures first, then the figures.
#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "report/shape_page.h"
#include "report/skin_figures.h"
#include "report/table.h"
#include "skincells/page.h"
#include "skincells/report.h"
#include "skincells/version.h"

namespace skincells {
namespace {

using namespace report;

std::string angles(const AngleInterval& a) {
  return fixed(a.lo, 0) + " .. " + fixed(a.hi, 0);
}

// How far the joints turned in the poses of the losses, and how that was known.
PageSection motionSection(const Character& c, const BindReport& report) {
  PageSection section;
  section.heading = "Ranges of motion";
  section.folded = true;
  section.paragraphs = {"Poses for the losses came from " + report.poses + "."};
  PageTable t{
      "", {{"joint", false}, {"source", false}, {"", false}, {"swing, degrees", true}, {"twist, degrees", true}}, {}};
  for (const JointMotion& m : report.motions)
    t.rows.push_back({{c.skeleton.joints[static_cast<std::size_t>(m.joint)].name},
                      {m.source},
                      {m.range.isHinge() ? (m.detail.empty() ? "hinge" : m.detail + ", hinge") : m.detail},
                      {angles(m.range.swing)},
                      {angles(m.range.twist)}});
  section.tables = {std::move(t)};
  return section;
}

PageSection optionSection(const BindSummary& summary) {
  PageSection section;
  section.heading = "Options and timings";
  section.folded = true;
  const BindOptions resolved = resolveOptions(summary.options);
  for (const auto& o : bindOptionTable()) section.facts.push_back({"--" + o.name, o.get(resolved)});
  for (const auto& o : writeOptionTable()) section.facts.push_back({"--" + o.name, o.get(summary.write_options)});
  for (const StageTime& t : summary.result->report.timings)
    section.facts.push_back({t.name, fixed(t.seconds * 1000, 1) + " ms"});
  return section;
}

// The curve from left to right, logarithmic from bottom to top.
Image curveImage(const LossCurve& curve) {
  constexpr int kWidth = 720, kHeight = 220, kMargin = 12;
  Image image(kWidth, kHeight);
  std::fill(image.rgba.begin(), image.rgba.end(), std::uint8_t{255});
  std::vector<double> logs;
  for (double v : curve.values) logs.push_back(std::log(std::max(v, 1e-12)));
  const auto [lo, hi] = std::minmax_element(logs.begin(), logs.end());
  const double span = std::max(*hi - *lo, 1e-9);
  int previous = -1;
  for (int x = kMargin; x < kWidth - kMargin; ++x) {
    const double t = static_cast<double>(x - kMargin) / (kWidth - 2 * kMargin - 1);
    const double value = logs[static_cast<std::size_t>(t * static_cast<double>(logs.size() - 1))];
    const int y = kMargin + static_cast<int>((*hi - value) / span * (kHeight - 2 * kMargin - 1));
    const int from = previous < 0 ? y : previous;
    for (int row = std::min(y, from) - 1; row <= std::max(y, from); ++row) {
      const std::uint8_t blue[] = {0, 114, 178, 255};
      std::copy_n(blue, 4, image.pixel(x, row));
    }
    previous = y;
  }
  return image;
}

Vec3d axisVector(char axis) {
  const double sign = axis >= 'a' ? 1 : -1;
  switch (axis) {
  case 'x':
  case 'X':
    return {sign, 0, 0};
  case 'z':
  case 'Z':
    return {0, 0, sign};
  default:
    return {0, sign, 0};
  }
}

} // namespace

Orientation orientationOf(const CharacterFile& file) {
  Orientation o = guessOrientation(file.character());
  if (file.info().up_axis == '?') return o;
  const Vec3d up = axisVector(file.info().up_axis);
  if (std::fabs(dot(up, o.forward)) > 0.5) o.forward = std::fabs(up.z) > 0.5 ? Vec3d{0, -1, 0} : Vec3d{0, 0, 1};
  o.up = up;
  return o;
}

std::string bindPage(const BindSummary& summary) {
  SKINCELLS_ASSERT(summary.input != nullptr && summary.result != nullptr);
  const Character& c = summary.input->character();
  const BindResult& result = *summary.result;
  const WeightStatistics statistics = weightStatistics(result.weights, c.skeleton.jointCount());
  const Looked looked = lookForBadPoses(c, result.weights);
  const ShapeStatistics shape = shapeStatistics(c.mesh, result.weights, looked.poses);
  const Orientation orientation = orientationOf(*summary.input);
  const auto used =
      std::count_if(statistics.mass_of_joint.begin(), statistics.mass_of_joint.end(), [](double m) { return m > 0; });

  PageInput page;
  page.title = c.name;
  page.summary = summary.input->info().path + " -> " + summary.output_path;
  const bool sound = statistics.unweighted_vertices == 0 &&
                     statistics.max_influences <= summary.options.max_influences && shape.tear_percent == 0;
  page.verdict = sound ? Tone::Good : Tone::Bad;
  page.verdict_text = sound ? "sound skin" : "look at the figures";
  page.facts = {{"vertices", grouped(c.mesh.vertexCount())},
                {"triangles", grouped(c.mesh.triangles.size())},
                {"joints that deform", std::to_string(used) + " of " + std::to_string(c.skeleton.jointCount())},
                {"influences", "at most " + std::to_string(statistics.max_influences) + ", mean " +
                                   fixed(statistics.mean_influences, 2)}};
  const std::vector<LabelledSkin> skins{{"", &result.weights}};
  const auto pictured = [&](ColorMode mode, const std::string& caption) {
    return poseSheet(c, skins, looked, orientation, mode, caption);
  };
  PageSection pictures;
  pictures.heading = "How it moves";
  pictures.paragraphs = {describe(looked)};
  pictures.images = {pictured(ColorMode::Material, "Posed, with the materials' colours"),
                     pictured(ColorMode::Joints, "Which joint moves what: joint colours mixed by weight"),
                     pictured(ColorMode::Stretch, "Where edges shrink (blue) and stretch (orange)")};
  page.sections.push_back(std::move(pictures));
  PageSection figures;
  figures.heading = "Posed shape";
  figures.tables = {shapeTable({{"value", shape}})};
  page.sections.push_back(std::move(figures));
  for (const LossCurve& curve : result.report.curves) {
    const auto finite = [](double v) { return std::isfinite(v); };
    if (curve.values.size() < 2 || !std::all_of(curve.values.begin(), curve.values.end(), finite)) continue;
    PageSection section;
    section.heading = "Loss: " + curve.name;
    section.folded = true;
    section.images = {{encodePng(curveImage(curve)), curve.name + " loss over " + std::to_string(curve.values.size()) +
                                                         " steps, from " + significant(curve.values.front(), 3) +
                                                         " to " + significant(curve.values.back(), 3) +
                                                         " (logarithmic)"}};
    page.sections.push_back(std::move(section));
  }
  const metrics::SkinSurvey survey = surveyBind(summary);
  page.sections.push_back(jointSection(c, result.report.joints, statistics, survey));
  page.sections.push_back(coverageSection(c, survey));
  Warnings warnings = summary.input->warnings();
  warnings.insert(warnings.end(), result.report.warnings.begin(), result.report.warnings.end());
  for (PageSection& section : warningSections(warnings)) page.sections.push_back(std::move(section));
  if (!result.report.motions.empty()) page.sections.push_back(motionSection(c, result.report));
  page.sections.push_back(optionSection(summary));
  page.footer = std::string("skincells ") + SKINCELLS_VERSION;
  return reportPage(page);
}

} // namespace skincells

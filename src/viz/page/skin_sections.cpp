#include "viz/page/skin_sections.h"

#include <algorithm>

#include "report/bind_survey.h"
#include "text/table.h"

namespace skincells::page {
namespace {

constexpr std::size_t kMostRowsUnfolded = 12;

} // namespace

PageSection jointSection(const Character& c, const std::vector<JointDecision>& decisions,
                         const WeightStatistics& statistics, const metrics::SkinSurvey& survey) {
  PageSection section;
  section.heading = "Joints";
  PageTable out{"Left out", {{"joint", false}, {"why", false}}, {}};
  PageTable in{"Deforming",
               {{"joint", false},
                {"vertices", true},
                {"led", true},
                {"total weight", true},
                {"extent, %", true},
                {"farthest from its bone, %", true}},
               {}};
  for (const JointDecision& d : decisions) {
    const int j = d.joint;
    if (!d.deforms)
      out.rows.push_back({{c.skeleton.joints[j].name}, {d.reason}});
    else
      in.rows.push_back({{c.skeleton.joints[j].name},
                         {text::grouped(statistics.vertices_of_joint[j]),
                          statistics.vertices_of_joint[j] == 0 ? Tone::Warning : Tone::Neutral},
                         {text::grouped(survey.joints[j].led)},
                         {text::fixed(statistics.mass_of_joint[j], 1)},
                         {text::fixed(survey.joints[j].extent, 1)},
                         {text::fixed(survey.joints[j].farthest, 1)}});
  }
  if (!out.rows.empty()) section.tables.push_back(std::move(out));
  in.folded = in.rows.size() > kMostRowsUnfolded;
  section.tables.push_back(std::move(in));
  return section;
}

PageSection doubtSection(const Skeleton& skeleton, const metrics::ConfidenceSurvey& confidence) {
  PageSection section;
  section.heading = "Where to look";
  section.paragraphs = {"The prior doubts " + text::fixed(confidence.percent_doubtful, 1) +
                        " % of the vertices: the joints that they might follow would carry them far apart. The viewer "
                        "(bind --view) shows all of them in the color mode Confidence."};
  PageTable places{
      "Least sure places",
      {{"follows", false}, {"confidence, 0 .. 1", true}, {"position in bind space", false}, {"vertex", true}},
      {}};
  for (const metrics::DoubtfulPlace& p : confidence.places)
    places.rows.push_back({{report::jointsOf(skeleton, p)},
                           {text::fixed(p.confidence, 2)},
                           {text::significant(p.position.x, 3) + ", " + text::significant(p.position.y, 3) + ", " +
                            text::significant(p.position.z, 3)},
                           {std::to_string(p.vertex)}});
  if (!places.rows.empty()) section.tables.push_back(std::move(places));
  return section;
}

PageSection coverageSection(const Character& c, const metrics::SkinSurvey& survey,
                            std::span<const PartOrigin> origins) {
  constexpr std::size_t kShownParts = 40;
  constexpr double kLeastShare = 0.005; // smaller shares would be printed as 0 %
  PageSection section;
  section.heading = "Coverage";
  PageTable counts{"Influences", {{"joints per vertex", true}, {"vertices", true}, {"%", true}}, {}};
  for (std::size_t n = 0; n < survey.by_influences.size(); ++n)
    if (n > 0 || survey.by_influences[n] > 0)
      counts.rows.push_back({{std::to_string(n)},
                             {text::grouped(survey.by_influences[n]), n == 0 ? Tone::Bad : Tone::Neutral},
                             {text::fixed(100.0 * survey.by_influences[n] / c.mesh.vertexCount(), 1)}});
  PageTable parts{
      "Connected parts, largest first",
      {{"mesh", false}, {"vertices", true}, {"size, %", true}, {"moves as one piece", false}, {"joints", false}},
      {}};
  for (const metrics::PartSurvey& part : survey.parts) {
    if (parts.rows.size() == kShownParts) break;
    std::string joints;
    for (std::size_t i = 0; i < part.joints.size() && (i == 0 || part.shares[i] >= kLeastShare); ++i)
      joints += (i == 0 ? "" : ", ") + c.skeleton.joints[part.joints[i]].name + " " +
                text::fixed(100 * part.shares[i], 0) + " %";
    parts.rows.push_back({{report::sectionOf(c.mesh, part.first_vertex)},
                          {text::grouped(part.vertices)},
                          {text::fixed(part.size, 1)},
                          {part.rigid ? "yes" : "no"},
                          {joints}});
    if (!origins.empty()) parts.rows.back().push_back({partOriginReason(origins[part.first_vertex])});
  }
  if (!origins.empty()) parts.columns.push_back({"why", false});
  parts.folded = parts.rows.size() > kMostRowsUnfolded;
  section.tables = {std::move(counts), std::move(parts)};
  return section;
}

void appendSections(PageInput& page, std::vector<PageSection> sections) {
  for (PageSection& section : sections) page.sections.push_back(std::move(section));
}

std::vector<PageSection> warningSections(const Warnings& warnings, const Warnings& more) {
  Warnings all = warnings;
  for (const Warning& w : more)
    if (std::ranges::none_of(warnings, [&](const Warning& o) { return o.code == w.code && o.where == w.where; }))
      all.push_back(w);
  if (all.empty()) return {};
  PageSection section;
  section.heading = "Warnings";
  PageTable t{"", {{"where", false}, {"what", false}}, {}};
  for (const Warning& w : all) t.rows.push_back({{w.where}, {w.message, Tone::Warning}});
  section.tables.push_back(std::move(t));
  return {std::move(section)};
}

} // namespace skincells::page

#include "viz/page/shape_page.h"

#include <algorithm>

#include "report/skin_figures.h"
#include "rig/motion/joint_motions.h"
#include "text/table.h"
#include "viz/render/pose_choice.h"

namespace skincells::page {
namespace {

constexpr std::size_t kManyRows = 12; // longer tables are folded
constexpr int kShown = 3;             // of the random poses, those that stretch the mesh most

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

Looked lookForBadPoses(const Character& c, const SparseWeights& weights, const std::vector<JointMotion>& motions) {
  Looked out;
  out.poses = rig::posesWithin(c.skeleton, motions, kRandomPoses, 0);
  out.ranges = rig::describe(motions);
  out.worst_count = kShown;
  out.shown.push_back({"bind pose", bindPose(c.skeleton)});
  for (LabeledPose& pose : render::worstPoses(c, weights, out.poses, kShown)) out.shown.push_back(std::move(pose));
  return out;
}

std::string describe(const Looked& looked) {
  return "The bind pose and the " + std::to_string(looked.worst_count) + " of " + std::to_string(looked.poses.size()) +
         " random poses that stretch the mesh most. Random poses stay within the ranges of motion: " + looked.ranges +
         ".";
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

void setVerdict(PageInput& page, bool sound, const std::vector<NamedShape>& skins) {
  Tone worst = Tone::Good;
  for (const NamedShape& skin : skins)
    for (const ShapeThreshold& t : kThresholds) worst = std::max(worst, toneOf(t, skin.shape));
  page.verdict = sound ? worst : Tone::Bad;
  static constexpr const char* kTexts[] = {"", "good", "sound; look at the figures", "sound, but moves badly"};
  page.verdict_text = sound ? kTexts[static_cast<int>(worst)] : "not sound";
}

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
    const auto j = static_cast<std::size_t>(d.joint);
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
  in.folded = in.rows.size() > kManyRows;
  section.tables.push_back(std::move(in));
  return section;
}

// How many influences vertices have, and which joints move which connected parts.
PageSection coverageSection(const Character& c, const metrics::SkinSurvey& survey) {
  constexpr std::size_t kShownParts = 40;
  constexpr double kLeastShare = 0.005; // a smaller one would read 0 %
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
      {{"of", false}, {"vertices", true}, {"size, %", true}, {"moves as one piece", false}, {"joints", false}},
      {}};
  for (const metrics::PartSurvey& part : survey.parts) {
    if (parts.rows.size() == kShownParts) break;
    std::string joints;
    for (std::size_t i = 0; i < part.joints.size() && (i == 0 || part.shares[i] >= kLeastShare); ++i)
      joints += (i == 0 ? "" : ", ") + c.skeleton.joints[static_cast<std::size_t>(part.joints[i])].name + " " +
                text::fixed(100 * part.shares[i], 0) + " %";
    parts.rows.push_back({{report::sectionOf(c.mesh, part.first_vertex)},
                          {text::grouped(part.vertices)},
                          {text::fixed(part.size, 1)},
                          {part.rigid ? "yes" : "no"},
                          {joints}});
  }
  parts.folded = parts.rows.size() > kManyRows;
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

// The report page of a bind: pictures first, then the figures.
#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "report/pose_choice.h"
#include "report/table.h"
#include "skincells/page.h"
#include "skincells/report.h"
#include "skincells/version.h"

namespace skincells {
namespace {

using namespace report;

constexpr int kPoses = 24;    // random poses to look through
constexpr int kShown = 3;     // of them, those that stretch the mesh most
constexpr double kAngle = 35; // largest turn of a joint, degrees

struct Looked {
  ShapeStatistics shape;
  std::vector<LabelledPose> shown; // rest, then the worst poses
};

Looked lookForBadPoses(const Character& c, const SparseWeights& weights) {
  RandomPoseOptions options;
  options.count = kPoses;
  options.max_angle = kAngle;
  const std::vector<Pose> poses = randomPoses(c.skeleton, options);
  Looked out;
  out.shape = shapeStatistics(c.mesh, weights, poses);
  out.shown.push_back({"bind pose", bindPose(c.skeleton)});
  for (LabelledPose& pose : worstPoses(c, weights, poses, kShown)) out.shown.push_back(std::move(pose));
  return out;
}

PageImage sheet(const Character& c, const SparseWeights& weights, const Looked& looked, const Orientation& orientation,
                ColorMode mode, const std::string& caption) {
  CharacterSheetOptions options;
  options.render.width = 360;
  options.render.height = 360;
  options.views = {View::ThreeQuarter, View::Back};
  options.mode = mode;
  options.sheet.columns = 4;
  if (mode == ColorMode::Material) options.triangle_colors = materialColors(c.mesh);
  const LabelledSkin skin{"", &weights};
  return {encodePng(characterSheet(c, {&skin, 1}, looked.shown, orientation, options)), caption};
}

PageTable shapeTable(const ShapeStatistics& s) {
  PageTable t;
  t.columns = {{"measure", false}, {"value", true}, {"good below", true}};
  const auto add = [&](const std::string& name, double value, int digits, double good, double bad) {
    const Tone tone = value <= good ? Tone::Good : value <= bad ? Tone::Warning : Tone::Bad;
    t.rows.push_back({{name}, {fixed(value, digits), tone}, {fixed(good, digits)}});
  };
  add("edge stretch, rms of |ln|", s.stretch_rms, 3, 0.15, 0.3);
  add("edge stretch, 99th percentile", s.stretch_p99, 2, 0.7, 1.2);
  add("edges beyond a factor of two, %", s.extreme_edges_percent, 2, 1.0, 3.0);
  add("triangles turned over, %", s.flipped_percent, 2, 1.0, 3.0);
  add("volume change of closed parts, %", s.volume_percent, 1, 6.0, 12.0);
  add("widest gap at a seam, % of size", s.tear_percent, 3, 0.0, 0.1);
  return t;
}

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

PageSection jointSection(const Character& c, const BindReport& report, const WeightStatistics& statistics) {
  PageSection section;
  section.heading = "Joints";
  PageTable out{"Left out", {{"joint", false}, {"why", false}}, {}};
  PageTable in{"Deforming", {{"joint", false}, {"vertices", true}, {"total weight", true}}, {}};
  for (const JointDecision& d : report.joints) {
    const auto j = static_cast<std::size_t>(d.joint);
    if (!d.deforms)
      out.rows.push_back({{c.skeleton.joints[j].name}, {d.reason}});
    else
      in.rows.push_back({{c.skeleton.joints[j].name},
                         {grouped(statistics.vertices_of_joint[j]),
                          statistics.vertices_of_joint[j] == 0 ? Tone::Warning : Tone::Neutral},
                         {fixed(statistics.mass_of_joint[j], 1)}});
  }
  if (!out.rows.empty()) section.tables.push_back(std::move(out));
  section.tables.push_back(std::move(in));
  return section;
}

PageSection optionSection(const BindSummary& summary) {
  PageSection section;
  section.heading = "Options and timings";
  section.folded = true;
  for (const auto& o : bindOptionTable()) section.facts.push_back({"--" + o.name, o.get(summary.options)});
  for (const auto& o : writeOptionTable()) section.facts.push_back({"--" + o.name, o.get(summary.write_options)});
  for (const StageTime& t : summary.result->report.timings)
    section.facts.push_back({t.name, fixed(t.seconds * 1000, 1) + " ms"});
  return section;
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
  const Orientation orientation = orientationOf(*summary.input);
  const auto used =
      std::count_if(statistics.mass_of_joint.begin(), statistics.mass_of_joint.end(), [](double m) { return m > 0; });

  PageInput page;
  page.title = c.name;
  page.summary = summary.input->info().path + " -> " + summary.output_path;
  const bool sound = statistics.unweighted_vertices == 0 &&
                     statistics.max_influences <= summary.options.max_influences && looked.shape.tear_percent == 0;
  page.verdict = sound ? Tone::Good : Tone::Bad;
  page.verdict_text = sound ? "sound skin" : "look at the figures";
  page.facts = {{"vertices", grouped(c.mesh.vertexCount())},
                {"triangles", grouped(c.mesh.triangles.size())},
                {"joints that deform", std::to_string(used) + " of " + std::to_string(c.skeleton.jointCount())},
                {"influences", "at most " + std::to_string(statistics.max_influences) + ", mean " +
                                   fixed(statistics.mean_influences, 2)}};
  PageSection pictures;
  pictures.heading = "How it moves";
  pictures.paragraphs = {"The bind pose and the " + std::to_string(kShown) + " of " + std::to_string(kPoses) +
                         " random poses (every joint turned by up to " + fixed(kAngle, 0) +
                         " degrees) that stretch the mesh most."};
  pictures.images = {
      sheet(c, result.weights, looked, orientation, ColorMode::Material, "Posed, with the materials' colours"),
      sheet(c, result.weights, looked, orientation, ColorMode::Joints,
            "Which joint moves what: joint colours mixed by weight"),
      sheet(c, result.weights, looked, orientation, ColorMode::Stretch,
            "Where edges shrink (blue) and stretch (orange)")};
  page.sections.push_back(std::move(pictures));
  PageSection shape;
  shape.heading = "Posed shape";
  shape.tables = {shapeTable(looked.shape)};
  page.sections.push_back(std::move(shape));
  page.sections.push_back(jointSection(c, result.report, statistics));
  Warnings warnings = summary.input->warnings();
  warnings.insert(warnings.end(), result.report.warnings.begin(), result.report.warnings.end());
  if (!warnings.empty()) {
    PageSection section;
    section.heading = "Warnings";
    PageTable t{"", {{"where", false}, {"what", false}}, {}};
    for (const Warning& w : warnings) t.rows.push_back({{w.where}, {w.message, Tone::Warning}});
    section.tables.push_back(std::move(t));
    page.sections.push_back(std::move(section));
  }
  if (!result.report.motions.empty()) page.sections.push_back(motionSection(c, result.report));
  page.sections.push_back(optionSection(summary));
  page.footer = std::string("skincells ") + SKINCELLS_VERSION;
  return reportPage(page);
}

} // namespace skincells

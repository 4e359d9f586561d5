// The report page of a bind: the figures with their verdict, pictures, then the rest.
#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "report/skin_figures.h"
#include "rig/motion/joint_motions.h"
#include "skincells/version.h"
#include "skincells/viz/page.h"
#include "skincells/viz/render_job.h"
#include "skincells/viz/skin_page.h"
#include "text/table.h"
#include "viz/page/bind_record.h"
#include "viz/page/shape_page.h"

namespace skincells {
namespace {

using namespace page;
using namespace report;

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

// The ranges that the bind used; where it used none, those of --rom auto.
std::vector<JointMotion> motionsOf(const Character& c, const BindReport& report) {
  if (!report.motions.empty()) return report.motions;
  return *rig::jointMotions(c.skeleton, c.clip_poses, "auto"); // only range files can fail
}

Orientation orientationOf(const CharacterFile& file) {
  Orientation o = guessOrientation(file.character().skeleton, file.character().mesh.bounds());
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
  const Looked looked = lookForBadPoses(c, result.weights, motionsOf(c, result.report));
  const ShapeStatistics shape = shapeStatistics(c.mesh, result.weights, looked.poses);
  const Orientation orientation = orientationOf(*summary.input);
  const auto used =
      std::count_if(statistics.mass_of_joint.begin(), statistics.mass_of_joint.end(), [](double m) { return m > 0; });

  PageInput page;
  page.title = c.name;
  page.summary = summary.input->info().path + " -> " + summary.output_path;
  const bool sound = statistics.unweighted_vertices == 0 &&
                     statistics.max_influences <= summary.options.max_influences && shape.tear_percent == 0;
  const std::vector<NamedShape> shapes{{"value", shape}};
  setVerdict(page, sound, shapes);
  page.facts = {{"vertices", text::grouped(c.mesh.vertexCount())},
                {"triangles", text::grouped(c.mesh.triangles.size())},
                {"joints that deform", std::to_string(used) + " of " + std::to_string(c.skeleton.jointCount())},
                {"influences", "at most " + std::to_string(statistics.max_influences) + ", mean " +
                                   text::fixed(statistics.mean_influences, 2)}};
  page.sections.push_back(shapeSection(shapes));
  page.sections.push_back(pictureSection(c, {{"", &result.weights}}, looked, orientation));
  const metrics::SkinSurvey survey = surveyBind(summary);
  page.sections.push_back(jointSection(c, result.report.joints, statistics, survey));
  page.sections.push_back(coverageSection(c, survey));
  const BindRecord record = recordOf(summary);
  appendSections(page, warningSections(record.warnings));
  appendSections(page, recordSections(c.skeleton, record));
  page.footer = std::string("skincells ") + SKINCELLS_VERSION;
  return reportPage(page);
}

} // namespace skincells

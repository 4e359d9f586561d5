#include "skincells/viz/bind_page.h"

#include <algorithm>

#include "report/bind_survey.h"
#include "rig/motion/joint_motions.h"
#include "skincells/jobs/bind_job.h"
#include "skincells/version.h"
#include "skincells/viz/page.h"
#include "text/table.h"
#include "viz/page/bind_record.h"
#include "viz/page/bind_sections.h"
#include "viz/page/file_orientation.h"
#include "viz/page/picture_section.h"
#include "viz/page/skin_sections.h"
#include "viz/page/verdict_section.h"

namespace skincells {
namespace {

using namespace page;

// The ranges that the bind used; if it used none, those of --rom auto.
std::vector<JointMotion> motionsOf(const Character& c, const BindReport& report) {
  if (!report.motions.empty()) return report.motions;
  return *rig::jointMotions(c.skeleton, c.clip_poses, "auto"); // only range files can fail
}

} // namespace

std::string bindPage(const BindOutcome& outcome) {
  const Character& c = outcome.input.character();
  const BindResult& result = outcome.result;
  const WeightStatistics statistics = weightStatistics(result.weights, c.skeleton.jointCount());
  const Orientation orientation = *orientationOf(outcome.input, Front::Auto);
  const PoseSelection poses =
      selectPoses(c, result.weights, motionsOf(c, result.report), orientation, outcome.worn_poses);
  const Appearance appearance = appearanceOf(c.mesh, outcome.input.baseColors());
  const auto used = std::ranges::count_if(statistics.mass_of_joint, [](double m) { return m > 0; });

  PageInput page;
  page.title = c.name;
  page.summary = outcome.job.input + " -> " + outcome.job.output;
  const bool valid =
      statistics.unweighted_vertices == 0 && statistics.max_influences <= outcome.job.bind.max_influences;
  const std::vector<NamedVerdict> verdicts{{"value", outcome.verdict}};
  setVerdict(page, valid, verdicts);
  page.facts = {{"vertices", text::grouped(c.mesh.vertexCount())},
                {"triangles", text::grouped(c.mesh.triangles.size())},
                {"joints that deform", std::to_string(used) + " of " + std::to_string(c.skeleton.jointCount())},
                {"influences", "at most " + std::to_string(statistics.max_influences) + ", mean " +
                                   text::fixed(statistics.mean_influences, 2)}};
  page.sections.push_back(verdictSection(verdicts));
  page.sections.push_back(pictureSection(c, appearance, {{"", &result.weights}}, poses, orientation));
  if (!outcome.garments.empty()) page.sections.push_back(garmentSection(outcome.garments));
  const metrics::SkinSurvey survey = report::surveyWeights(c, result.weights, result.report.joints);
  if (const auto confidence = report::surveyConfidence(c, result))
    page.sections.push_back(doubtSection(c.skeleton, *confidence));
  page.sections.push_back(jointSection(c, result.report.joints, statistics, survey));
  page.sections.push_back(coverageSection(c, survey, result.report.origins));
  const BindRecord record = recordOf(outcome);
  appendSections(page, warningSections(record.warnings, appearance.warnings));
  appendSections(page, recordSections(c.skeleton, record));
  page.footer = std::string("skincells ") + SKINCELLS_VERSION;
  return reportPage(page);
}

} // namespace skincells

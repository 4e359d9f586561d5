#include "skincells/viz/skin_page.h"

#include "base/try.h"
#include "jobs/same_mesh.h"
#include "jobs/skin_labels.h"
#include "jobs/worn.h"
#include "report/bind_survey.h"
#include "rig/motion/joint_motions.h"
#include "skincells/jobs/check_job.h"
#include "skincells/jobs/compare_job.h"
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

PageSection defectSection(const std::vector<const CharacterFile*>& files, const std::vector<CheckResult>& checks) {
  static constexpr Tone kTones[] = {Tone::Neutral, Tone::Warning, Tone::Bad};
  PageSection section;
  section.heading = "Defects";
  PageTable t{"", {{"skin", false}, {"defect", false}, {"where", false}, {"count", true}, {"what to do", false}}, {}};
  for (std::size_t i = 0; i < files.size(); ++i)
    for (const Defect& d : checks[i].defects)
      t.rows.push_back({{files[i]->character().name},
                        {d.message, kTones[static_cast<int>(d.severity)]},
                        {d.where},
                        {text::grouped(d.count)},
                        {d.advice}});
  if (t.rows.empty())
    section.paragraphs = {"The stored weights have no defects."};
  else
    section.tables = {std::move(t)};
  return section;
}

PageSection errorSection(const CompareResult& compared) {
  PageSection section;
  section.heading = "Against the first skin";
  section.paragraphs = {"Distances in % of the size of the character, over all vertices and poses."};
  PageTable t{"", {{"skin"}, {"poses"}, {"count", true}, {"rms", true}, {"p95", true}, {"max", true}}, {}};
  for (const ComparedFile& file : compared.others)
    for (const PoseSetComparison& set : file.result.sets)
      t.rows.push_back({{file.path},
                        {set.label},
                        {std::to_string(set.pose_count)},
                        {text::fixed(set.error.rms, 2)},
                        {text::fixed(set.error.p95, 2)},
                        {text::fixed(set.error.max, 2)}});
  section.tables = {std::move(t)};
  return section;
}

std::vector<PageFact> factsOf(const CharacterFile& file, const WeightStatistics& statistics) {
  const Character& c = file.character();
  return {{"vertices", text::grouped(c.mesh.vertexCount())},
          {"triangles", text::grouped(c.mesh.triangles.size())},
          {"joints", std::to_string(c.skeleton.jointCount())},
          {"influences", "at most " + std::to_string(statistics.max_influences) + ", mean " +
                             text::fixed(statistics.mean_influences, 2)}};
}

struct Skins {
  std::vector<const CharacterFile*> files;
  std::vector<std::string> names;
  std::vector<SparseWeights> weights; // over the first file's joints
  std::vector<NamedVerdict> verdicts;
  std::vector<LabeledSkin> labeled;
};

Result<Skins> gather(const CharacterFile& first, const std::vector<const CharacterFile*>& others,
                     const std::string& labels) {
  if (first.character().weights.empty())
    return Error{ErrorCode::Mismatch, "has no weights to report on; bind it first", first.info().path};
  Skins out;
  SKINCELLS_TRY(weights, jobs::weightsOfAll(first, others));
  out.weights = std::move(weights);
  out.files = {&first};
  out.files.insert(out.files.end(), others.begin(), others.end());
  std::vector<std::string> paths;
  for (const CharacterFile* file : out.files) paths.push_back(file->info().path);
  SKINCELLS_TRY(names, jobs::skinLabels(paths, labels));
  out.names = std::move(names);
  for (std::size_t i = 0; i < out.files.size(); ++i)
    out.labeled.push_back({out.files.size() == 1 ? "" : std::to_string(i + 1) + ": " + out.names[i], &out.weights[i]});
  return out;
}

// The garments of the skins; nothing if none is asked for.
Result<jobs::WornSkins> measureGarments(const Character& c, const Skins& skins, const WearOptions& wear) {
  if (!wear.wanted()) return jobs::WornSkins{};
  std::vector<jobs::NamedSkin> named;
  for (std::size_t i = 0; i < skins.names.size(); ++i) named.push_back({skins.names[i], &skins.weights[i]});
  OutputSet none; // bodies are read only
  return jobs::measureWorn(wear, c, named, none);
}

// How the first skin was bound: from its report if there is one, else from the field in its file.
Result<BindRecord> recordFor(const CharacterFile& file, const SkinPageOptions& options) {
  if (!options.bind_report.empty()) return readBindRecord(options.bind_report, file.character().skeleton);
  BindRecord out;
  if (const auto field = file.field(); field && *field) out.options = (*field)->provenance.options;
  return out;
}

// The ranges that the bind used if they are known, unless the options name others.
Result<std::vector<JointMotion>> motionsFor(const Character& c, const BindRecord& record,
                                            const SkinPageOptions& options) {
  const bool bound = options.rom == "bound";
  if (bound && !record.motions.empty()) return record.motions;
  return rig::jointMotions(c.skeleton, c.clip_poses, bound ? "auto" : options.rom);
}

} // namespace

const OptionTable<SkinPageOptions>& skinPageOptionTable() {
  static const OptionTable<SkinPageOptions> table{
      rig::boundRomOption(&SkinPageOptions::rom),
      options::text(
          "bind-json", &SkinPageOptions::bind_report, "a file",
          "the file that 'bind --json-file' wrote for the first skin; the page shows its options, timings, loss "
          "curves and ranges of motion"),
      gateOption(&SkinPageOptions::gate),
      frontOption(&SkinPageOptions::front),
      options::text("labels", &SkinPageOptions::labels, "one for each skin, separated by commas", "names of the skins"),
  };
  return table;
}

Result<std::string> skinPage(const CharacterFile& first, const std::vector<const CharacterFile*>& others,
                             const SkinPageOptions& options) {
  SKINCELLS_CHECK(options::validate(skinPageOptionTable(), options));
  SKINCELLS_TRY(gate, readGate(options.gate));
  SKINCELLS_TRY(orientation, orientationOf(first, options.front));
  SKINCELLS_TRY(skins, gather(first, others, options.labels));
  const Character& c = first.character();
  SKINCELLS_TRY(record, recordFor(first, options));
  SKINCELLS_TRY(motions, motionsFor(c, record, options));
  SKINCELLS_TRY(worn, measureGarments(c, skins, options.wear));
  const PoseSelection poses = selectPoses(c, skins.weights[0], motions, orientation, worn.poses.poses());
  const Appearance appearance = appearanceOf(c.mesh, first.baseColors());
  std::vector<CheckResult> checks;
  bool valid = true;
  for (std::size_t i = 0; i < skins.files.size(); ++i) {
    skins.verdicts.push_back({skins.names[i], options.wear.wanted()
                                                  ? worn.poses.judge(c, skins.weights[i], worn.garments, gate, i)
                                                  : judgeSkin(c, skins.weights[i], gate)});
    checks.push_back(checkSkin(*skins.files[i], {.max_influences = kMaxInfluences}));
    valid = valid && checks.back().passed;
  }
  const WeightStatistics statistics = weightStatistics(skins.weights[0], c.skeleton.jointCount());

  PageInput page;
  page.title = c.name;
  for (const CharacterFile* file : skins.files) page.summary += (page.summary.empty() ? "" : ", ") + file->info().path;
  setVerdict(page, valid, skins.verdicts);
  page.facts = factsOf(first, statistics);
  page.sections = {verdictSection(skins.verdicts), pictureSection(c, appearance, skins.labeled, poses, orientation)};
  if (!worn.garments.empty()) page.sections.push_back(garmentSection(worn.garments));
  if (!others.empty()) {
    SKINCELLS_TRY(compared, compareSkins(first, others));
    page.sections.push_back(errorSection(compared));
  }
  page.sections.push_back(defectSection(skins.files, checks));
  const auto decisions = record.joints.empty() ? chooseJoints(c, "auto") : record.joints;
  if (decisions) {
    const metrics::SkinSurvey survey = report::surveyWeights(c, skins.weights[0], *decisions);
    page.sections.push_back(jointSection(c, *decisions, statistics, survey));
    page.sections.push_back(coverageSection(c, survey));
  }
  Warnings more = record.warnings;
  more.insert(more.end(), worn.warnings.begin(), worn.warnings.end());
  more.insert(more.end(), appearance.warnings.begin(), appearance.warnings.end());
  appendSections(page, warningSections(first.warnings(), more));
  appendSections(page, recordSections(c.skeleton, record));
  page.footer = std::string("skincells ") + SKINCELLS_VERSION;
  return reportPage(page);
}

} // namespace skincells

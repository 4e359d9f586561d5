// The report page of finished skins: one, or several of one mesh side by side.
#include "base/try.h"
#include "report/same_mesh.h"
#include "report/shape_page.h"
#include "report/skin_figures.h"
#include "report/table.h"
#include "skincells/version.h"

namespace skincells {
namespace {

using namespace report;

PageSection defectSection(const std::vector<const CharacterFile*>& files, const std::vector<CheckResult>& checks) {
  static constexpr Tone kTones[] = {Tone::Neutral, Tone::Warning, Tone::Bad};
  PageSection section;
  section.heading = "Soundness";
  PageTable t{"", {{"skin", false}, {"what", false}, {"where", false}, {"count", true}, {"what to do", false}}, {}};
  for (std::size_t i = 0; i < files.size(); ++i)
    for (const Defect& d : checks[i].defects)
      t.rows.push_back({{files[i]->character().name},
                        {d.message, kTones[static_cast<int>(d.severity)]},
                        {d.where},
                        {grouped(d.count)},
                        {d.advice}});
  if (t.rows.empty())
    section.paragraphs = {"Nothing is wrong with the weights as stored."};
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
                        {fixed(set.error.rms, 2)},
                        {fixed(set.error.p95, 2)},
                        {fixed(set.error.max, 2)}});
  section.tables = {std::move(t)};
  return section;
}

std::vector<PageFact> factsOf(const CharacterFile& file, const WeightStatistics& statistics) {
  const Character& c = file.character();
  return {{"vertices", grouped(c.mesh.vertexCount())},
          {"triangles", grouped(c.mesh.triangles.size())},
          {"joints", std::to_string(c.skeleton.jointCount())},
          {"influences",
           "at most " + std::to_string(statistics.max_influences) + ", mean " + fixed(statistics.mean_influences, 2)}};
}

struct Skins {
  std::vector<const CharacterFile*> files;
  std::vector<SparseWeights> weights; // over the first file's joints
  std::vector<NamedShape> shapes;
  std::vector<LabelledSkin> labelled;
};

Result<Skins> gather(const CharacterFile& first, const std::vector<const CharacterFile*>& others) {
  if (first.character().weights.empty())
    return Error{ErrorCode::Mismatch, "has no weights to report on; bind it first", first.info().path};
  Skins out;
  out.files = {&first};
  out.weights = {first.character().weights};
  for (const CharacterFile* other : others) {
    SKINCELLS_CHECK(checkSameMesh(first, *other));
    SKINCELLS_TRY(mapped, weightsOverReference(first, *other));
    out.files.push_back(other);
    out.weights.push_back(std::move(mapped));
  }
  for (std::size_t i = 0; i < out.files.size(); ++i)
    out.labelled.push_back(
        {out.files.size() == 1 ? "" : std::to_string(i + 1) + ": " + out.files[i]->character().name, &out.weights[i]});
  return out;
}

PageSection pictureSection(const Character& c, const Skins& skins, const Looked& looked,
                           const Orientation& orientation) {
  const auto pictured = [&](ColorMode mode, const std::string& caption) {
    return poseSheet(c, skins.labelled, looked, orientation, mode, caption);
  };
  PageSection section;
  section.heading = "How it moves";
  section.paragraphs = {describe(looked)};
  section.images = {pictured(ColorMode::Material, "Posed, with the materials' colours"),
                    pictured(ColorMode::Joints, "Which joint moves what: joint colours mixed by weight"),
                    pictured(ColorMode::InfluenceCount, "Joints per vertex"),
                    pictured(ColorMode::Stretch, "Where edges shrink (blue) and stretch (orange)")};
  return section;
}

} // namespace

Result<std::string> skinPage(const CharacterFile& first, const std::vector<const CharacterFile*>& others) {
  SKINCELLS_TRY(skins, gather(first, others));
  const Character& c = first.character();
  const Looked looked = lookForBadPoses(c, skins.weights[0]);
  std::vector<CheckResult> checks;
  bool sound = true;
  for (std::size_t i = 0; i < skins.files.size(); ++i) {
    skins.shapes.push_back({skins.files[i]->character().name, shapeStatistics(c.mesh, skins.weights[i], looked.poses)});
    checks.push_back(checkSkin(*skins.files[i], {.max_influences = kMaxInfluences}));
    sound = sound && checks.back().passed;
  }
  const WeightStatistics statistics = weightStatistics(skins.weights[0], c.skeleton.jointCount());
  const Tone tone = sound ? worstTone(skins.shapes) : Tone::Bad;

  PageInput page;
  page.title = c.name;
  for (const CharacterFile* file : skins.files) page.summary += (page.summary.empty() ? "" : ", ") + file->info().path;
  page.verdict = tone;
  page.verdict_text = !sound ? "not sound" : tone == Tone::Good ? "good" : "sound; look at the figures";
  page.facts = factsOf(first, statistics);
  page.sections = {pictureSection(c, skins, looked, orientationOf(first))};
  PageSection figures;
  figures.heading = "Posed shape";
  figures.tables = {shapeTable(skins.shapes)};
  page.sections.push_back(std::move(figures));
  if (!others.empty()) {
    SKINCELLS_TRY(compared, compareSkins(first, others));
    page.sections.push_back(errorSection(compared));
  }
  page.sections.push_back(defectSection(skins.files, checks));
  if (const auto decisions = chooseJoints(c, "auto")) {
    const metrics::SkinSurvey survey = surveyWeights(c, skins.weights[0], *decisions);
    page.sections.push_back(jointSection(c, *decisions, statistics, survey));
    page.sections.push_back(coverageSection(c, survey));
  }
  for (PageSection& section : warningSections(first.warnings())) page.sections.push_back(std::move(section));
  page.footer = std::string("skincells ") + SKINCELLS_VERSION;
  return reportPage(page);
}

} // namespace skincells

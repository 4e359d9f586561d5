#include "skincells/jobs/check_job.h"

#include <algorithm>

#include "base/try.h"
#include "jobs/run_alone.h"
#include "jobs/worn.h"
#include "text/table.h"
#include "weights/rows_edit.h"

namespace skincells {
namespace {

constexpr double kSameRow = 0.01; // half L1 distance up to which two rows count as equal

void checkSeams(const Character& c, std::vector<Defect>& out) {
  const Weld weld = weldByPosition(c.mesh.positions, weldTolerance(c.mesh));
  std::uint64_t split = 0;
  std::size_t first = 0;
  for (std::size_t v = 0; v < c.mesh.positions.size(); ++v) {
    const auto row = weights::rowOf(c.weights, v);
    const auto row_of_first = weights::rowOf(c.weights, weld.first_vertex[weld.welded_of_vertex[v]]);
    if (weights::halfL1(row, row_of_first) > kSameRow && split++ == 0) first = v;
  }
  if (split == 0) return;
  const auto section = std::ranges::find_if(
      c.mesh.sections, [&](const MeshSection& s) { return first < s.first_vertex + s.vertex_count; });
  out.push_back({"seam.split", Severity::Warning, section != c.mesh.sections.end() ? section->where : "",
                 "vertices with the same position but different weights: seams open when the character moves",
                 "copy weights across the seam, or bind again", split});
}

void checkInfluences(const Character& c, int most, std::vector<Defect>& out) {
  for (const MeshSection& s : c.mesh.sections) {
    std::uint64_t over = 0;
    for (std::size_t v = s.first_vertex; v < std::size_t{s.first_vertex} + s.vertex_count; ++v)
      over += std::ranges::count_if(c.weights.weightRow(v), [](float w) { return w > 0; }) > most;
    if (over > 0)
      out.push_back({"weights.too_many_influences", Severity::Error, s.where,
                     "vertices with more than " + text::counted(static_cast<unsigned>(most), "influence"),
                     "bind again with --max-influences " + std::to_string(most) + ", or raise the limit of this check",
                     over});
  }
}

void checkJoints(const Character& c, std::vector<Defect>& out) {
  const WeightStatistics s = weightStatistics(c.weights, c.skeleton.jointCount());
  const auto idle = std::ranges::count(s.mass_of_joint, 0.0);
  if (idle > 0)
    out.push_back({"joints.idle", Severity::Note, "/skins", "joints without weights",
                   "normal for controls, end joints and attachment points", static_cast<std::uint64_t>(idle)});
}

} // namespace

const OptionTable<CheckOptions>& checkOptionTable() {
  static const OptionTable<CheckOptions> table{
      options::integer("max-influences", &CheckOptions::max_influences, 1, 16,
                       "more influences than this on a vertex are an error"),
      options::flag("strict", &CheckOptions::strict, "warnings fail the check too"),
      options::flag("posed", &CheckOptions::posed,
                    "a bad verdict on the deformation fails the check too; with --strict, any that is not good"),
      gateOption(&CheckOptions::gate),
  };
  return table;
}

CheckResult checkSkin(const CharacterFile& file, const CheckOptions& options) {
  CheckResult result;
  const Character& c = file.character();
  result.defects = file.skinDefects();
  if (c.weights.empty()) {
    result.defects.push_back(
        {"weights.missing", Severity::Error, "/meshes", "the mesh has no weights", "bind it", c.mesh.vertexCount()});
  } else {
    checkInfluences(c, options.max_influences, result.defects);
    checkSeams(c, result.defects);
    checkJoints(c, result.defects);
  }
  std::ranges::stable_sort(result.defects, std::ranges::greater{}, &Defect::severity);
  const Severity gate = options.strict ? Severity::Warning : Severity::Error;
  result.passed = std::ranges::none_of(result.defects, [&](const Defect& d) { return d.severity >= gate; });
  return result;
}

Result<CheckOutcome> checkFile(const CheckJob& job, const CharacterFile& file) {
  SKINCELLS_TRY(gate, readGate(job.check.gate));
  CheckOutcome outcome{job, checkSkin(file, job.check), {}};
  outcome.passed = outcome.result.passed;
  const Character& c = file.character();
  if (!c.weights.empty()) {
    if (job.wear.wanted()) {
      OutputSet none; // a check writes nothing
      const jobs::NamedSkin skin{file.info().path, &c.weights};
      SKINCELLS_TRY(worn, jobs::measureWorn(job.wear, c, {&skin, 1}, none));
      outcome.verdict = worn.poses.judge(c, c.weights, worn.garments, gate);
      outcome.garments = std::move(worn.garments);
      outcome.warnings = std::move(worn.warnings);
    } else {
      outcome.verdict = judgeSkin(c, c.weights, gate);
    }
    const FailOn limit = job.check.strict ? FailOn::Warn : FailOn::Bad;
    if (job.check.posed && fails(outcome.verdict->grade, limit)) outcome.passed = false;
  }
  return outcome;
}

JobFiles filesOf(const CheckJob& job) {
  JobFiles files{{job.input, job.check.gate}, {}};
  for (std::string& path : job.wear.bodies()) files.inputs.push_back(std::move(path));
  return files;
}

Result<CheckOutcome> run(const CheckJob& job, OutputSet& outputs, const ProgressFunction&) {
  SKINCELLS_CHECK(declareFiles(filesOf(job), outputs));
  SKINCELLS_TRY(file, CharacterFile::read(job.input));
  SKINCELLS_CHECK(outputs.addInputs(file.info().resources));
  return checkFile(job, file);
}

Result<CheckOutcome> run(const CheckJob& job, const ProgressFunction& progress) {
  return jobs::runAlone<CheckOutcome>(job, progress);
}

} // namespace skincells

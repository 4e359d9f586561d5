// Is a skin sound? What the reader noticed in the stored data, and what the weights are like as a whole.
#include <algorithm>

#include "report/json_text.h"
#include "skincells/report.h"
#include "text/table.h"
#include "weights/rows_edit.h"

namespace skincells {
namespace {

using namespace report;

void checkSeams(const Character& c, std::vector<Defect>& out) {
  const Weld weld = weldByPosition(c.mesh.positions, weldTolerance(c.mesh));
  std::uint64_t split = 0;
  std::size_t first = 0;
  for (std::size_t v = 0; v < c.mesh.positions.size(); ++v)
    if (weights::halfL1(weights::rowOf(c.weights, v),
                        weights::rowOf(c.weights, weld.first_vertex[weld.welded_of_vertex[v]])) > 0.01 &&
        split++ == 0)
      first = v;
  if (split == 0) return;
  const auto section = std::find_if(c.mesh.sections.begin(), c.mesh.sections.end(),
                                    [&](const MeshSection& s) { return first < s.first_vertex + s.vertex_count; });
  out.push_back({"seam.split", Severity::Warning, section != c.mesh.sections.end() ? section->where : "",
                 "vertices that share a position but not their weights: seams open when the character moves",
                 "copy weights across the seam, or bind again", split});
}

void checkInfluences(const Character& c, int most, std::vector<Defect>& out) {
  for (const MeshSection& s : c.mesh.sections) {
    std::uint64_t over = 0;
    for (std::size_t v = s.first_vertex; v < std::size_t{s.first_vertex} + s.vertex_count; ++v) {
      const auto row = c.weights.weightRow(v);
      over += std::count_if(row.begin(), row.end(), [](float w) { return w > 0; }) > most;
    }
    if (over > 0)
      out.push_back({"weights.too_many_influences", Severity::Error, s.where,
                     "vertices with more than " + text::counted(static_cast<unsigned>(most), "influence"),
                     "bind again with --max-influences " + std::to_string(most) + ", or raise the limit of this check",
                     over});
  }
}

void checkJoints(const Character& c, std::vector<Defect>& out) {
  const WeightStatistics s = weightStatistics(c.weights, c.skeleton.jointCount());
  std::uint64_t idle = 0;
  for (double m : s.mass_of_joint) idle += m == 0;
  if (idle > 0)
    out.push_back({"joints.idle", Severity::Note, "/skins", "joints without any weight",
                   "normal for controls, end joints and attachment points", idle});
}

} // namespace

const OptionTable<CheckOptions>& checkOptionTable() {
  static const OptionTable<CheckOptions> table{
      options::integer("max-influences", &CheckOptions::max_influences, 1, 16,
                       "more influences than this on a vertex are an error"),
      options::flag("strict", &CheckOptions::strict, "warnings fail the check too"),
  };
  return table;
}

CheckResult checkSkin(const CharacterFile& file, const CheckOptions& options) {
  CheckResult result;
  const Character& c = file.character();
  result.defects = file.skinDefects();
  if (c.weights.empty())
    result.defects.push_back(
        {"weights.missing", Severity::Error, "/meshes", "the mesh has no weights", "bind it", c.mesh.vertexCount()});
  else {
    checkInfluences(c, options.max_influences, result.defects);
    checkSeams(c, result.defects);
    checkJoints(c, result.defects);
  }
  std::stable_sort(result.defects.begin(), result.defects.end(),
                   [](const Defect& a, const Defect& b) { return a.severity > b.severity; });
  const Severity gate = options.strict ? Severity::Warning : Severity::Error;
  result.passed =
      std::none_of(result.defects.begin(), result.defects.end(), [&](const Defect& d) { return d.severity >= gate; });
  return result;
}

Document checkDocument(const CharacterFile& file, const CheckResult& result, const CheckOptions& options) {
  static constexpr const char* kNames[] = {"note", "warning", "ERROR"};
  Json j = heading("check");
  j["file"] = {{"path", file.info().path}};
  j["options"] = optionsJson(checkOptionTable(), options);
  j["passed"] = result.passed;
  j["defects"] = Json::array();
  std::string text = file.info().path + ": " + (result.passed ? "sound" : "NOT sound") + "\n";
  for (const Defect& d : result.defects) {
    j["defects"].push_back(toJson(d));
    text += "  " + std::string(kNames[static_cast<int>(d.severity)]) + " " + d.code + " at " + d.where + ": " +
            d.message + " (" + text::grouped(d.count) + ")\n      " + d.advice + "\n";
  }
  return {text, print(j)};
}

} // namespace skincells

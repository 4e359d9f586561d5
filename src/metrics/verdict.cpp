#include "skincells/verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "base/try.h"
#include "metrics/skin_measures.h"
#include "text/json_access.h"
#include "text/json_lint.h"
#include "text/text_file.h"

namespace skincells {
namespace {

using text::JsonPlace;

Grade gradeOf(double value, const Threshold& t) {
  return value <= t.good ? Grade::Good : value <= t.bad ? Grade::Look : Grade::Bad;
}

Result<void> readLimit(const JsonPlace& place, const char* key, double& limit) {
  if (!place.has(key)) return {};
  const JsonPlace number = place.at(key);
  if (!number.value().is_number()) return number.error("must be a number, not " + number.value().dump());
  limit = number.value().get<double>();
  if (!(limit >= 0)) return number.error("must not be negative");
  return {};
}

// The limits of one measure; a null value has been dealt with.
Result<void> readThreshold(const JsonPlace& place, Threshold& t) {
  if (!place.value().is_object())
    return place.error("must be an object with \"good\", \"bad\" or both, or null to turn the measure off");
  for (const auto& [key, member] : place.members())
    if (key != "good" && key != "bad") return member.error("is not a known key; use \"good\" and \"bad\"");
  SKINCELLS_CHECK(readLimit(place, "good", t.good));
  SKINCELLS_CHECK(readLimit(place, "bad", t.bad));
  if (t.good > t.bad)
    return place.error("is good up to " + options::printReal(t.good) + " but bad beyond " + options::printReal(t.bad) +
                       "; give both limits, the smaller one as \"good\"");
  return {};
}

Result<Gate> readRows(const JsonPlace& root) {
  if (!root.value().is_object()) return root.error("must be an object with the names of measures as keys");
  Gate gate = defaultGate();
  for (const auto& [name, place] : root.members()) {
    const auto row = std::ranges::find(gate, name, &Threshold::name);
    if (row == gate.end()) {
      std::string known;
      for (const Threshold& t : defaultGate()) known += (known.empty() ? "" : ", ") + t.name;
      return place.error("is not a measure, or is there twice; the measures are " + known);
    }
    if (place.value().is_null())
      gate.erase(row);
    else
      SKINCELLS_CHECK(readThreshold(place, *row));
  }
  return gate;
}

} // namespace

const char* gradeName(Grade grade) {
  static constexpr const char* kNames[] = {"good", "look at it", "bad"};
  return kNames[static_cast<int>(grade)];
}

// One line per measure (docs/verdict.md).
const Gate& defaultGate() {
  static const Gate gate{
      {"stretch_rms", "mean stretch of edges, as |ln| of the ratio", 3, 0.2, 0.4,
       "see where; try a larger --stiffness"},
      {"stretch_p99", "stretch of the worst hundredth of edges", 2, 0.9, 1.6,
       "look at the worst poses with 'skincells view'"},
      {"extreme_edges_percent", "edges stretched or shrunk to more than twice, %", 2, 2.0, 6.0,
       "look at the worst poses with 'skincells view'"},
      {"flipped_percent", "triangles turned over, %", 2, 2.0, 6.0, "look for limbs that share weights"},
      {"volume_percent", "volume change of closed parts, %", 1, 8.0, 30.0, "look at bends and twists"},
      {"tear_percent", "widest gap at a seam, % of size", 3, 0.0, 4.0, "give vertices of a seam the same weights"},
      {"bleeding_percent", "weight of a limb that only lies near, %", 2, 1.0, 4.0,
       "close limbs share weights: spread them in the bind pose and bind again, or paint them"},
      {"web_percent", "area of webs between limbs and of spikes, %", 2, 3.0, 18.0,
       "look at the worst poses with 'skincells view'"},
      {"departed_percent", "parts that fly off what they touched, % of area", 2, 0.5, 35.0,
       "give such a part the weights of the part below it"},
      {"bent_percent", "rigid-looking parts that bend, % of area", 2, 2.0, 10.0,
       "give all of such a part the same weights"},
      {"stray_percent", "parts that follow a wrong joint, % of weight", 2, 0.9, 2.4,
       "look for parts that follow a wrong joint"},
      {"size_factor", "skeleton larger or smaller than what it moves, times", 1, 1.5, 3.0,
       "mesh and skeleton do not fit: look for different units"},
      {"penetration_percent", "garment vertices inside the body, %", 2, 3.0, 8.0,
       "give the garment own bones, or a larger --margin"},
  };
  return gate;
}

const OptionTable<VerdictOptions>& verdictOptionTable() {
  static const OptionTable<VerdictOptions> table{
      gateOption(&VerdictOptions::gate),
      options::choice<VerdictOptions, FailOn>("fail-on", &VerdictOptions::fail_on,
                                              {{"never", FailOn::Never}, {"bad", FailOn::Bad}, {"warn", FailOn::Warn}},
                                              "end with exit code 5 if the verdict is bad, or (warn) if it is not "
                                              "good; the output is written all the same"),
  };
  return table;
}

bool fails(Grade grade, FailOn fail_on) {
  if (fail_on == FailOn::Never) return false;
  return grade == Grade::Bad || (fail_on == FailOn::Warn && grade == Grade::Look);
}

Result<Gate> readGate(const std::string& path) {
  if (path.empty()) return defaultGate();
  SKINCELLS_TRY(text, text::readTextFile(path, {"gate file", "--gate", "none"}));
  SKINCELLS_CHECK(text::checkJson(text, path));
  const auto json = JsonPlace::Json::parse(text, nullptr, false);
  return readRows(JsonPlace(json, path + "#"));
}

std::vector<const Finding*> Verdict::reasons() const {
  std::vector<const Finding*> out;
  for (const Finding& f : findings)
    if (f.grade != Grade::Good) out.push_back(&f);
  std::ranges::stable_sort(out, [](const Finding* a, const Finding* b) { return a->grade > b->grade; });
  return out;
}

Verdict judge(const std::vector<Measure>& measures, const Gate& gate) {
  Verdict verdict;
  for (const Threshold& t : gate) {
    const auto measure = std::ranges::find(measures, t.name, &Measure::name);
    if (measure == measures.end()) continue;
    const double value = std::isfinite(measure->value) ? measure->value : std::numeric_limits<double>::max();
    verdict.findings.push_back({t, value, measure->where, gradeOf(value, t)});
    verdict.grade = std::max(verdict.grade, verdict.findings.back().grade);
  }
  return verdict;
}

Verdict judgeSkin(const Character& character, const SparseWeights& weights, const Gate& gate) {
  const metrics::JudgedPoses judged = metrics::judgedPoses(character);
  return judgeSkinIn(judged.poses, judged.text, character, weights, gate);
}

Verdict judgeSkinIn(const std::vector<Pose>& poses, const std::string& text, const Character& character,
                    const SparseWeights& weights, const Gate& gate) {
  Verdict verdict = judge(metrics::measureSkin(character, weights, poses), gate);
  verdict.poses = text;
  return verdict;
}

} // namespace skincells

// The verdict on how a skin deforms: good, look at it, or bad, with the reasons and the places.
#pragma once

#include <string>
#include <vector>

#include "skincells/character.h"
#include "skincells/options.h"
#include "skincells/result.h"

namespace skincells {

enum class Grade { Good, Look, Bad };
const char* gradeName(Grade grade); // "good", "look at it", "bad"

// A number about a skin; larger is worse.
struct Measure {
  std::string name; // a Threshold has the same
  double value = 0;
  std::string where = ""; // the joints, parts or vertices where it is worst; may be empty
};

// How a measure is judged: good up to `good`, bad beyond `bad`, worth a look in between.
struct Threshold {
  std::string name;  // "stretch_rms": in JSON and gate files
  std::string label; // for people, with the unit
  int digits = 2;    // after the decimal point
  double good = 0, bad = 0;
  std::string advice; // what to do if it is not good
};
using Gate = std::vector<Threshold>;

// The one table of thresholds (docs/verdict.md).
const Gate& defaultGate();
// The default table with the changes of a JSON file: {"NAME": {"good": 0.2, "bad": 0.4}, "NAME": null}. Limits that are
// not given stay; null turns a measure off. An empty path is the default table.
Result<Gate> readGate(const std::string& path);

// The option that names a gate file.
template <class T> Option<T> gateOption(std::string T::*field) {
  return options::text(
      "gate", field, "a JSON file",
      "thresholds of the verdict, by name: {\"stretch_rms\": {\"good\": 0.2, \"bad\": 0.4}}; null turns "
      "a measure off");
}

// What makes a command fail (exit code 5): nothing, a bad verdict, or any that is not good.
enum class FailOn { Never, Bad, Warn };
struct VerdictOptions {
  std::string gate = ""; // path of a gate file; empty: the default table
  FailOn fail_on = FailOn::Never;
};
const OptionTable<VerdictOptions>& verdictOptionTable();
bool fails(Grade grade, FailOn fail_on);

// A measure that was judged.
struct Finding {
  Threshold threshold;
  double value = 0;
  std::string where;
  Grade grade = Grade::Good;
};

struct Verdict {
  Grade grade = Grade::Good;     // the worst of the findings
  std::vector<Finding> findings; // in the order of the table
  std::string poses;             // what was measured: "24 random poses"

  // The findings that are not good, worst first.
  std::vector<const Finding*> reasons() const;
};

// Measures without a threshold are not judged. A value that is not finite is the largest number.
Verdict judge(const std::vector<Measure>& measures, const Gate& gate = defaultGate());

// Poses the skin and judges what is measured. Every command uses this function, so that a skin has one verdict. Depends
// on the inputs alone. weights: one row per vertex.
Verdict judgeSkin(const Character& character, const SparseWeights& weights, const Gate& gate = defaultGate());
// The same in other poses of the skeleton. text: what they are.
Verdict judgeSkinIn(const std::vector<Pose>& poses, const std::string& text, const Character& character,
                    const SparseWeights& weights, const Gate& gate = defaultGate());

} // namespace skincells

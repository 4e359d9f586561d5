// Computing weights: a character in, weights and a report out.
#pragma once

#include <string>
#include <vector>

#include "skincells/character.h"
#include "skincells/options.h"
#include "skincells/progress.h"
#include "skincells/result.h"

namespace skincells {

enum class BindMethod {
  Proximity, // the K nearest bones, weighted 1/d^3.5: the baseline of Larionov et al. 2025
  Heat,      // the bone each vertex sees from inside, spread over the surface as heat
};

struct BindOptions {
  BindMethod method = BindMethod::Proximity;
  int max_influences = 4; // most joints per vertex
  // Which joints may deform: "auto" (leave out IK targets, controls, end joints and the like), "all", "weighted"
  // (those that carry weight in the input's own skin), or the path of a joint list (docs/formats.md).
  std::string joints = "auto";
};
const OptionTable<BindOptions>& bindOptionTable();

// Why a joint may or may not deform.
struct JointDecision {
  int joint = -1;
  bool deforms = true;
  std::string rule;   // stable code: "deforms", "placeholder", "root", "control", "end", "outside", ...
  std::string reason; // for people
};

struct StageTime {
  std::string name;
  double seconds = 0;
};

struct BindReport {
  std::vector<JointDecision> joints; // one per joint of the skeleton
  Warnings warnings;
  std::vector<StageTime> timings;
  std::string stop_reason = "done";
};

struct BindResult {
  SparseWeights weights; // one canonical row per vertex of the character's mesh, none of them empty
  BindReport report;
};

// Binds the mesh to the skeleton. Vertices at one position get one row. Fails when there is no vertex, no joint, or
// no joint left to deform. The result depends on the inputs alone, not on the number of threads.
Result<BindResult> bind(const Character& character, const BindOptions& options = {},
                        const ProgressFunction& progress = {});

// Decides which joints deform, as `bind` would.
Result<std::vector<JointDecision>> chooseJoints(const Character& character, const std::string& spec);

} // namespace skincells

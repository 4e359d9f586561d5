// Which joints of a skeleton deform the mesh.
#pragma once

#include <string>
#include <vector>

#include "skincells/character.h"
#include "skincells/result.h"

namespace skincells {

// Why a joint may or may not deform.
struct JointDecision {
  int joint = -1;
  bool deforms = true;
  std::string rule;   // stable code: "deforms", "placeholder", "root", "control", "end", "outside", "user", ...
  std::string reason; // for people
};

// Single decisions of the user, see BindOptions.
struct JointOverrides {
  std::string keep = "", drop = "";
};
// Decides which joints deform, as `bind` would; spec: see BindOptions::joints.
Result<std::vector<JointDecision>> chooseJoints(const Character& character, const std::string& spec,
                                                const JointOverrides& overrides = {});

} // namespace skincells

// Which joints of a skeleton deform the mesh.
#pragma once

#include <string>
#include <vector>

#include "skincells/character.h"
#include "skincells/result.h"

namespace skincells {

// Whether a joint may deform the mesh, and why.
struct JointDecision {
  int joint = -1;
  bool deforms = true;
  std::string rule;   // stable code; docs/joints.md lists them
  std::string reason; // for people
};

// Decisions of the user about single joints; see BindOptions::keep_joints and drop_joints.
struct JointOverrides {
  std::string keep = "", drop = "";
};
// Decides which joints deform, as `bind` would; spec: see BindOptions::joints.
Result<std::vector<JointDecision>> chooseJoints(const Character& character, const std::string& spec,
                                                const JointOverrides& overrides = {});

} // namespace skincells

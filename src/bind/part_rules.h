// What --part asks of named parts of the mesh.
#pragma once

#include <string>
#include <vector>

#include "skincells/bind.h"
#include "skincells/character.h"
#include "skincells/result.h"

namespace skincells::binding {

// What is asked of a vertex.
struct PartRule {
  PartOrigin origin = PartOrigin::Bends; // Bends: nothing is asked; or one of the ...ByName
  int joint = -1;                        // of RigidByName
};

// One per vertex; empty: nothing is asked. parts: "NAME=rigid:JOINT,NAME=follow,NAME=field", as in BindOptions::parts;
// names are names or patterns of sections of the mesh. If several name one section, the last one counts.
Result<std::vector<PartRule>> partRules(const Character& character, const std::string& parts);

} // namespace skincells::binding

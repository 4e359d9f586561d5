#include "bind/part_rules.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/try.h"
#include "rig/names/find_joint.h"
#include "text/glob.h"
#include "text/split.h"

namespace skincells::binding {
namespace {

constexpr const char* kOption = "--part";

Error wrong(const std::string& why) {
  return {ErrorCode::InvalidOption, why, kOption};
}

// The word after "NAME=".
Result<PartRule> parseRule(std::string_view word, const Skeleton& skeleton) {
  constexpr std::string_view kRigid = "rigid:";
  if (word == "follow") return PartRule{PartOrigin::FollowByName};
  if (word == "field") return PartRule{PartOrigin::FieldByName};
  if (!word.starts_with(kRigid))
    return wrong("'" + std::string(word) + "' must be rigid:JOINT, follow or field, as in Sword=rigid:RightHand");
  word.remove_prefix(kRigid.size());
  const int joint = skeleton.find(word);
  if (joint < 0)
    return wrong("there is no joint '" + std::string(word) + "'" + rig::closeNames(skeleton, word) +
                 "; 'skincells inspect' lists them");
  return PartRule{PartOrigin::RigidByName, joint};
}

std::string listOf(const std::vector<MeshSection>& sections) {
  constexpr std::size_t kListed = 8;
  std::vector<std::string> names;
  for (const MeshSection& s : sections)
    if (std::ranges::find(names, s.name) == names.end()) names.push_back(s.name);
  std::string out;
  for (std::size_t i = 0; i < std::min(kListed, names.size()); ++i) out += (i == 0 ? "'" : ", '") + names[i] + "'";
  return out + (names.size() > kListed ? ", ..." : "");
}

} // namespace

Result<std::vector<PartRule>> partRules(const Character& character, const std::string& parts) {
  const Mesh& mesh = character.mesh;
  std::vector<PartRule> rules;
  for (std::string_view text : text::splitNonEmpty(parts, ',')) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string_view::npos)
      return wrong("'" + std::string(text) + "' must be NAME=rigid:JOINT, NAME=follow or NAME=field");
    const std::string_view name = text::trimmed(text.substr(0, equals));
    SKINCELLS_TRY(rule, parseRule(text::trimmed(text.substr(equals + 1)), character.skeleton));
    rules.resize(mesh.positions.size());
    bool found = false;
    for (const MeshSection& s : mesh.sections) {
      if (!text::globMatches(name, s.name)) continue;
      found = true;
      std::fill_n(rules.begin() + s.first_vertex, s.vertex_count, rule);
    }
    if (!found)
      return wrong("no part of the mesh is named '" + std::string(name) + "'; its parts are " + listOf(mesh.sections));
  }
  return rules;
}

} // namespace skincells::binding

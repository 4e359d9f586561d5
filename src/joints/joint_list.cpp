#include "joints/joint_list.h"

#include <algorithm>

#include "base/try.h"
#include "rig/names/find_joint.h"
#include "text/glob.h"
#include "text/split.h"
#include "text/text_file.h"

namespace skincells::joints {
namespace {

struct ListLine {
  std::string_view pattern;
  bool keeps = true;
  int number = 0;
};

std::vector<ListLine> parseLines(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3); // byte order mark
  std::vector<ListLine> lines;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text::trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    const bool keeps = line.front() != '-';
    if (line.front() == '-' || line.front() == '+') line = text::trimmed(line.substr(1));
    lines.push_back({line, keeps, number});
  }
  return lines;
}

// Returns whether the pattern matches a joint.
bool decideByUser(const Skeleton& skeleton, std::string_view pattern, bool keeps,
                  std::vector<JointDecision>& decisions) {
  bool matched = false;
  for (std::size_t j = 0; j < decisions.size(); ++j) {
    if (!text::globMatches(pattern, skeleton.joints[j].name)) continue;
    matched = true;
    decisions[j].deforms = keeps;
    decisions[j].rule = "user";
    decisions[j].reason = std::string(keeps ? "kept" : "dropped") + " by the user ('" + std::string(pattern) + "')";
  }
  return matched;
}

} // namespace

Result<std::vector<JointDecision>> chooseByList(const Skeleton& skeleton, std::string_view text,
                                                const std::string& where) {
  const std::vector<ListLine> lines = parseLines(text);
  if (lines.empty())
    return Error{ErrorCode::InvalidFile, "the joint list is empty; give one name or pattern per line", where};
  const bool only_drops = std::none_of(lines.begin(), lines.end(), [](const ListLine& l) { return l.keeps; });
  std::vector<JointDecision> decisions(skeleton.joints.size());
  for (std::size_t j = 0; j < decisions.size(); ++j) {
    decisions[j].joint = static_cast<int>(j);
    decisions[j].deforms = only_drops;
    decisions[j].rule = "listed";
    decisions[j].reason = only_drops ? "no line of the joint list drops it" : "no line of the joint list keeps it";
  }
  for (const ListLine& line : lines) {
    bool matched = false;
    for (std::size_t j = 0; j < decisions.size(); ++j) {
      if (!text::globMatches(line.pattern, skeleton.joints[j].name)) continue;
      matched = true;
      decisions[j].deforms = line.keeps;
      decisions[j].reason = std::string(line.keeps ? "kept" : "dropped") + " by line " + std::to_string(line.number) +
                            " of the joint list ('" + std::string(line.pattern) + "')";
    }
    if (!matched)
      return Error{ErrorCode::InvalidFile,
                   "'" + std::string(line.pattern) + "' matches no joint; correct or remove this line" +
                       rig::closeNames(skeleton, line.pattern),
                   where + ", line " + std::to_string(line.number)};
  }
  return decisions;
}

Result<void> applyOverrides(const Skeleton& skeleton, const JointOverrides& overrides,
                            std::vector<JointDecision>& decisions) {
  const auto keep = text::splitNonEmpty(overrides.keep, ','), drop = text::splitNonEmpty(overrides.drop, ',');
  for (std::string_view name : keep)
    if (!text::hasWildcard(name) && std::ranges::find(drop, name) != drop.end())
      return Error{ErrorCode::InvalidOption,
                   "'" + std::string(name) + "' is both kept and dropped; remove it from one of the two options",
                   "--keep-joints"};
  for (const bool exact : {false, true})
    for (const bool keeps : {true, false})
      for (std::string_view pattern : keeps ? keep : drop)
        if (text::hasWildcard(pattern) != exact && !decideByUser(skeleton, pattern, keeps, decisions))
          return Error{ErrorCode::InvalidOption,
                       "'" + std::string(pattern) + "' matches no joint; 'skincells inspect' lists them",
                       keeps ? "--keep-joints" : "--drop-joints"};
  return {};
}

Result<std::vector<int>> jointsNamed(const Skeleton& skeleton, std::string_view list, const std::string& option) {
  std::vector<int> joints;
  for (std::string_view pattern : text::splitNonEmpty(list, ',')) {
    const std::size_t before = joints.size();
    for (int j = 0; j < skeleton.jointCount(); ++j)
      if (text::globMatches(pattern, skeleton.joints[j].name)) joints.push_back(j);
    if (joints.size() == before)
      return Error{ErrorCode::InvalidOption,
                   "'" + std::string(pattern) + "' matches no joint; 'skincells inspect' lists them" +
                       rig::closeNames(skeleton, pattern),
                   option};
  }
  if (joints.empty()) return Error{ErrorCode::InvalidOption, "names no joint; give at least one", option};
  std::ranges::sort(joints);
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  return joints;
}

Result<std::vector<JointDecision>> chooseByListFile(const Skeleton& skeleton, const std::string& path) {
  SKINCELLS_TRY(text, text::readTextFile(path, {"joint list", "--joints", "auto, all, weighted"}));
  return chooseByList(skeleton, text, path);
}

} // namespace skincells::joints

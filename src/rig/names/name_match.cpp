#include "rig/names/name_match.h"

#include <string>
#include <unordered_map>

namespace skincells::rig {

std::vector<int> matchNames(std::span<const std::string_view> names, const Skeleton& skeleton) {
  struct Places {
    std::vector<int> joints;
    std::size_t taken = 0;
  };
  std::unordered_map<std::string_view, Places> by_name;
  for (int j = 0; j < skeleton.jointCount(); ++j)
    by_name[skeleton.joints[static_cast<std::size_t>(j)].name].joints.push_back(j);
  std::vector<int> match;
  match.reserve(names.size());
  for (const std::string_view name : names) {
    const auto found = by_name.find(name);
    const bool there = found != by_name.end() && found->second.taken < found->second.joints.size();
    match.push_back(there ? found->second.joints[found->second.taken++] : -1);
  }
  return match;
}

std::vector<int> matchNames(std::span<const std::string> names, const Skeleton& skeleton) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return matchNames(views, skeleton);
}

std::vector<int> matchNames(const Skeleton& from, const Skeleton& to) {
  std::vector<std::string_view> names;
  names.reserve(from.joints.size());
  for (const Joint& joint : from.joints) names.push_back(joint.name);
  return matchNames(names, to);
}

} // namespace skincells::rig

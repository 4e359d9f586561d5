#include "transfer/joint_match.h"

#include <algorithm>

#include "rig/names/close_names.h"
#include "rig/names/joint_names.h"
#include "rig/names/name_match.h"

namespace skincells::transfer {
namespace {

constexpr std::size_t kMostListed = 6;

Error missingJoints(const Skeleton& from, const std::vector<int>& missing, std::size_t wanted, const Skeleton& to,
                    const std::string& where) {
  std::string list;
  for (std::size_t i = 0; i < std::min(missing.size(), kMostListed); ++i) {
    const std::string& name = from.joints[static_cast<std::size_t>(missing[i])].name;
    const int near = nearestName(name, to);
    list += (i == 0 ? "'" : ", '") + name + "'";
    if (near >= 0) list += " (did you mean '" + to.joints[static_cast<std::size_t>(near)].name + "'?)";
  }
  if (missing.size() > kMostListed) list += " and " + std::to_string(missing.size() - kMostListed) + " more";
  return {ErrorCode::Mismatch,
          std::to_string(missing.size()) + " of " + std::to_string(wanted) +
              " joints are not in its skeleton: " + list +
              "; joints are matched by name, so give a file with the same skeleton, or take it from one with --rig",
          where};
}

} // namespace

int nearestName(const std::string& name, const Skeleton& skeleton) {
  const rig::JointName split = rig::splitJointName(name);
  int best = -1;
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 4) + 1;
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    const std::string& other = skeleton.joints[j].name;
    const rig::JointName other_split = rig::splitJointName(other);
    if (!split.words.empty() && split.words == other_split.words && split.side == other_split.side)
      return static_cast<int>(j);
    if (split.side != other_split.side || other.size() > 2 * name.size() + 8) continue; // left is not right
    if (const std::size_t d = rig::editDistance(name, other); d < best_distance)
      best_distance = d, best = static_cast<int>(j);
  }
  return best;
}

Result<std::vector<int>> matchJoints(const Skeleton& from, std::span<const int> wanted, const Skeleton& to,
                                     const std::string& where) {
  const std::vector<int> match_of = rig::matchNames(from, to);
  std::vector<int> match, missing;
  for (int j : wanted) {
    match.push_back(match_of[static_cast<std::size_t>(j)]);
    if (match.back() < 0) missing.push_back(j);
  }
  if (!missing.empty()) return missingJoints(from, missing, wanted.size(), to, where);
  return match;
}

} // namespace skincells::transfer

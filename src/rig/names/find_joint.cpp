#include "rig/names/find_joint.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "rig/names/joint_names.h"

namespace skincells::rig {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Letters to insert, remove or replace to get from one name to the other, ignoring case (Levenshtein).
std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t k = 0; k < b.size(); ++k) {
      const std::size_t replaced = diagonal + (lower(a[i]) != lower(b[k]));
      diagonal = std::exchange(row[k + 1], std::min({row[k] + 1, row[k + 1] + 1, replaced}));
    }
  }
  return row.back();
}

} // namespace

std::vector<int> matchNames(std::span<const std::string_view> names, const Skeleton& skeleton) {
  struct Candidates {
    std::vector<int> joints;
    std::size_t taken = 0;
  };
  std::unordered_map<std::string_view, Candidates> by_name;
  for (int j = 0; j < skeleton.jointCount(); ++j) by_name[skeleton.joints[j].name].joints.push_back(j);
  std::vector<int> match;
  match.reserve(names.size());
  for (const std::string_view name : names) {
    const auto found = by_name.find(name);
    const bool available = found != by_name.end() && found->second.taken < found->second.joints.size();
    match.push_back(available ? found->second.joints[found->second.taken++] : -1);
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

int nearestName(const std::string& name, const Skeleton& skeleton) {
  const JointName split = splitJointName(name);
  int best = -1;
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 4) + 1;
  for (int j = 0; j < skeleton.jointCount(); ++j) {
    const std::string& other = skeleton.joints[j].name;
    const JointName other_split = splitJointName(other);
    if (split.side != other_split.side) continue;
    if (!split.words.empty() && split.words == other_split.words) return j;
    if (other.size() > 2 * name.size() + 8) continue; // cannot be close
    if (const std::size_t distance = editDistance(name, other); distance < best_distance) {
      best_distance = distance;
      best = j;
    }
  }
  return best;
}

std::string closeNames(const Skeleton& skeleton, std::string_view name) {
  constexpr std::size_t kLongestName = 128, kMostListed = 3;
  if (name.size() > kLongestName) return {};
  const std::size_t limit = std::max<std::size_t>(2, name.size() / 2);
  std::vector<std::pair<std::size_t, std::string_view>> found;
  for (const Joint& joint : skeleton.joints) {
    if (joint.name.size() > name.size() + limit) continue;
    if (const std::size_t distance = editDistance(name, joint.name); distance <= limit)
      found.emplace_back(distance, joint.name);
  }
  std::ranges::stable_sort(found, {}, [](const auto& entry) { return entry.first; });
  std::string out;
  for (std::size_t i = 0; i < std::min(found.size(), kMostListed); ++i)
    out += (i == 0 ? "; close to it: '" : ", '") + std::string(found[i].second) + "'";
  return out;
}

} // namespace skincells::rig

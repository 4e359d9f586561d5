#include "rig/names/close_names.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace skincells::rig {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

} // namespace

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

std::string closeNames(const Skeleton& skeleton, std::string_view name) {
  constexpr std::size_t kLongest = 128, kShown = 3;
  if (name.size() > kLongest) return {};
  const std::size_t furthest = std::max<std::size_t>(2, name.size() / 2);
  std::vector<std::pair<std::size_t, std::string_view>> found;
  for (const Joint& joint : skeleton.joints) {
    if (joint.name.size() > name.size() + furthest) continue;
    if (const std::size_t distance = editDistance(name, joint.name); distance <= furthest)
      found.emplace_back(distance, joint.name);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string out;
  for (std::size_t i = 0; i < std::min(found.size(), kShown); ++i)
    out += (i == 0 ? "; close to it: '" : ", '") + std::string(found[i].second) + "'";
  return out;
}

} // namespace skincells::rig

#include "batch/sharing.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/parallel.h"

namespace fs = std::filesystem;

namespace skincells::batch {
namespace {

constexpr std::size_t kItemsPerChunk = 8;

std::vector<io::SkeletonKey> skeletonKeys(const std::vector<BatchItem>& items) {
  std::vector<io::SkeletonKey> keys(items.size());
  parallelChunks(items.size(), kItemsPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) keys[i] = io::skeletonKey(items[i].input);
  });
  return keys;
}

// Characters that differ by less have nearly the same shape (docs/farm.md).
constexpr double kSameShape = 0.003;

double unlikeness(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += std::fabs(a[j] - b[j]);
  return sum / static_cast<double>(std::max<std::size_t>(1, a.size()));
}

// The rank after the last one of the rounds before that of a rank.
std::size_t earlierCount(std::size_t rank) {
  return std::bit_floor(rank);
}

} // namespace

Company::Company(const Work& work, std::vector<BatchItem> items) : items_folder_(work.items_folder) {
  if (!work.options.share_skeletons) {
    rounds_.push_back(std::move(items));
    return;
  }
  std::vector<io::SkeletonKey> keys = skeletonKeys(items);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (keys[i].key.empty()) continue;
    std::vector<Member>& members = by_skeleton_[keys[i].key];
    place_of_[items[i].name] = {keys[i].key, members.size()};
    members.push_back({items[i].name, std::move(keys[i].girths)});
  }
  rounds_.resize(1);
  for (BatchItem& item : items) {
    std::size_t round = 0;
    if (const auto place = place_of_.find(item.name); place != place_of_.end()) {
      round = static_cast<std::size_t>(std::bit_width(place->second.rank));
      // Nobody starts from one of the last round.
      item.leads = place->second.rank < earlierCount(by_skeleton_.at(place->second.key).size() - 1);
    }
    if (rounds_.size() <= round) rounds_.resize(round + 1);
    rounds_[round].push_back(std::move(item));
  }
}

Company::Nearest Company::nearest(const Place& place, const LinesByItem& lines) const {
  const std::vector<Member>& members = by_skeleton_.at(place.key);
  const std::vector<float>& girths = members[place.rank].girths;
  Nearest nearest{{}, std::numeric_limits<double>::infinity()};
  for (std::size_t m = 0; m < earlierCount(place.rank); ++m) {
    const double distance = unlikeness(girths, members[m].girths);
    if (!(distance < nearest.distance)) continue;
    const auto line = lines.find(members[m].name);
    if (line == lines.end() || line->second.verdict != "good") continue;
    const fs::path field = fs::path(items_folder_) / members[m].name / kFieldOfLeader;
    if (std::error_code ignored; !fs::is_regular_file(field, ignored)) continue;
    nearest = {field.string(), distance};
  }
  return nearest;
}

void Company::chooseStarts(const LinesByItem& lines, std::vector<BatchItem>& round) const {
  parallelChunks(round.size(), kItemsPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i)
      if (const auto place = place_of_.find(round[i].name); place != place_of_.end()) {
        Nearest found = nearest(place->second, lines);
        round[i].same_shape = !found.field.empty() && found.distance < kSameShape;
        round[i].start = std::move(found.field);
      }
  });
}

} // namespace skincells::batch

#include "batch/sharing.h"

#include <filesystem>
#include <map>

#include "base/parallel.h"
#include "io/skeleton_key.h"

namespace fs = std::filesystem;

namespace skincells::batch {
namespace {

constexpr std::size_t kItemsPerChunk = 8;

std::vector<std::string> skeletonKeys(const std::vector<BatchItem>& items) {
  std::vector<std::string> keys(items.size());
  parallelChunks(items.size(), kItemsPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) keys[i] = io::skeletonKey(items[i].input);
  });
  return keys;
}

} // namespace

std::vector<std::vector<BatchItem>> roundsOf(const Work& work, std::vector<BatchItem> items) {
  std::vector<std::vector<BatchItem>> rounds(1);
  if (!work.options.share_skeletons) {
    rounds[0] = std::move(items);
    return rounds;
  }
  const std::vector<std::string> keys = skeletonKeys(items);
  std::map<std::string, std::size_t> place_of_leader; // in the first round, by key
  rounds.emplace_back();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto [found, is_first] = place_of_leader.emplace(keys[i], rounds[0].size());
    if (is_first || keys[i].empty()) {
      rounds[0].push_back(std::move(items[i]));
      continue;
    }
    BatchItem& leader = rounds[0][found->second];
    leader.leads = true;
    items[i].start = (fs::path(work.items_folder) / leader.name / kFieldOfLeader).string();
    rounds[1].push_back(std::move(items[i]));
  }
  return rounds;
}

void keepGoodStarts(const Work& work, const LinesByItem& lines, std::vector<BatchItem>& items) {
  std::error_code ignored;
  for (BatchItem& item : items) {
    if (item.start.empty()) continue;
    const auto leader = lines.find(fs::path(item.start).parent_path().lexically_relative(work.items_folder).string());
    const bool is_good = leader != lines.end() && leader->second.verdict == "good";
    if (!is_good || !fs::is_regular_file(item.start, ignored)) item.start.clear();
  }
}

} // namespace skincells::batch
